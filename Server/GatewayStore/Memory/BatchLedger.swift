import Delivery
import WaypostSchema

/// What is known of a namespace's batches: how many notifications of each are in which state, and by which key its
/// sender knows it.
struct BatchLedger: Sendable {
    /// The seconds after which a batch is forgotten that a sweep found settled and as old: 7 days.
    static let lifetime = 7 * 24 * 60 * 60

    private struct Entry: Sendable {
        var record: BatchRecord
        var created: Timestamp

        /// When a sweep first found it old and settled.
        var settled: Timestamp?

        var isSettled: Bool {
            record.counts.states.keys.allSatisfy(\.isFinal)
        }

        /// Since when it waits to be forgotten.
        var waitsSince: Timestamp {
            settled ?? created
        }
    }

    /// A key is as old as its batch, and forgotten before it.
    private struct Key: Sendable {
        var fingerprint: [UInt8]
        var batch: BatchNumber
    }

    private var entries: [BatchNumber: Entry] = [:]
    private var numbers: [BatchID: BatchNumber] = [:]
    private var keys: [String: Key] = [:]

    /// No key is older than this, and no settled batch than the other, so that most sweeps need not look.
    private var earliestKey = Timestamp.distant
    private var earliestSettled = Timestamp.distant

    /// Begins a batch without anything in it.
    mutating func begin(_ batch: NewBatch, _ number: BatchNumber, refusals: [StoreRefusal?], at now: Timestamp) {
        let record = BatchRecord(
            number: number,
            id: batch.id,
            rejected: batch.rejections.count + refusals.count { $0 != nil },
            counts: DeliveryCounts(),
            record: batch.makeRecord?(refusals)
        )
        entries[number] = Entry(record: record, created: now)
        numbers[batch.id] = number
        if let key = batch.key {
            keys[key.key] = Key(fingerprint: key.fingerprint, batch: number)
            earliestKey = min(earliestKey, now)
        }
    }

    /// Counts a notification that was accepted.
    mutating func add(_ state: DeliveryState, to batch: BatchNumber) {
        entries[batch]?.record.counts.add(in: state)
    }

    /// Counts notifications in the state that they are in now.
    mutating func move(
        _ count: Int,
        of batch: BatchNumber,
        from origin: DeliveryState,
        to destination: DeliveryState
    ) {
        entries[batch]?.record.counts.move(count, from: origin, to: destination)
        noteIfSettled(batch)
    }

    /// Remembers that a batch is to be forgotten one day, if nothing more will become of it.
    mutating func noteIfSettled(_ batch: BatchNumber) {
        guard let entry = entries[batch], entry.isSettled else { return }
        earliestSettled = min(earliestSettled, entry.waitsSince)
    }

    /// Whether the batch is known.
    func has(_ batch: BatchNumber) -> Bool {
        entries[batch] != nil
    }

    /// When a batch came.
    func created(_ batch: BatchNumber) -> Timestamp? {
        entries[batch]?.created
    }

    func record(of id: BatchID) -> BatchRecord? {
        numbers[id].flatMap { entries[$0]?.record }
    }

    /// Returns the batch that was sent with `key`, unless that is too long ago.
    func batch(with key: String, at now: Timestamp) -> KeyedBatch? {
        guard let known = keys[key], let entry = entries[known.batch], !entry.created.isOldKey(at: now) else {
            return nil
        }
        return KeyedBatch(fingerprint: known.fingerprint, batch: entry.record)
    }

    /// Forgets keys after 24 hours and settled batches after 7 days.
    mutating func sweep(at now: Timestamp) {
        if earliestKey.isOldKey(at: now) {
            keys = keys.filter { entries[$0.value.batch].map { !$0.created.isOldKey(at: now) } ?? false }
            earliestKey = keys.values.compactMap { entries[$0.batch]?.created }.min() ?? .distant
        }
        if earliestSettled.isOldBatch(at: now) { forgetSettled(at: now) }
    }

    /// Forgets what has long been settled.
    ///
    /// A batch that is old when it is first found settled is kept for as long again: it may have settled just now, as by a
    /// clock that was moved a month.
    private mutating func forgetSettled(at now: Timestamp) {
        let due = entries.filter { $0.value.isSettled && $0.value.waitsSince.isOldBatch(at: now) }
        for (number, entry) in due where entry.settled == nil { entries[number]?.settled = now }
        for (number, entry) in due where entry.settled != nil {
            entries[number] = nil
            numbers[entry.record.id] = nil
        }
        earliestSettled = entries.values.lazy.filter(\.isSettled).map(\.waitsSince).min() ?? .distant
    }
}

extension Timestamp {
    /// Later than anything.
    fileprivate static let distant = Timestamp(milliseconds: .max)

    fileprivate func isOldKey(at now: Timestamp) -> Bool {
        isOlder(than: IdempotencyKey.lifetime, at: now)
    }

    fileprivate func isOldBatch(at now: Timestamp) -> Bool {
        isOlder(than: BatchLedger.lifetime, at: now)
    }

    /// Whether `seconds` have passed since, which they have not where the clock was put back.
    private func isOlder(than seconds: Int, at now: Timestamp) -> Bool {
        let (age, isBeyondInt) = now.rawValue.subtractingReportingOverflow(rawValue)
        return isBeyondInt ? now > self : age >= seconds * 1_000
    }
}
