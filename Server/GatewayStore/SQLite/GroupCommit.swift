internal import GRDB
internal import Synchronization

/// Group commit: whoever changes something waits in a queue, and one transaction takes everybody who waits.
///
/// While one transaction is synced to the disk the next callers gather, so that a sync is shared by as many as there are,
/// and nobody waits for a timer.
final class GroupCommit: Sendable {
    private let database: any DatabaseWriter
    private let itemsInCommit: Int
    private let queue: Mutex<CommitQueue>
    private let writer: Mutex<StoreWriter>
    private let onCommit: @Sendable (CommitReport) -> Void

    /// Creates the group commit of `writer`, which works on the writing connection of `database`, and tells `onCommit` of each
    /// transaction before those are told who wait for it.
    init(
        _ database: any DatabaseWriter,
        _ writer: StoreWriter,
        _ tuning: SQLiteTuning,
        onCommit: @escaping @Sendable (CommitReport) -> Void
    ) {
        self.database = database
        self.onCommit = onCommit
        itemsInCommit = tuning.itemsInCommit
        queue = Mutex(CommitQueue(itemLimit: tuning.itemsInQueue))
        self.writer = Mutex(writer)
    }

    /// How many items wait to be written.
    var waitingItems: Int {
        queue.withLock(\.items)
    }

    /// Makes a change, and returns once it is on the disk.
    ///
    /// - Parameters:
    ///   - weight: how many items the change carries.
    ///   - work: makes the change; it may be called again where somebody else's change in the same transaction failed.
    ///   - then: called with what `work` returned once the change is on the disk, before it is for a later change.
    /// - Returns: what `work` returned.
    /// - Throws: `StoreError`; nothing has changed then.
    func perform<Value: Sendable>(
        weight: Int = 1,
        _ work: @escaping @Sendable (inout StoreTransaction) throws -> Value,
        then: @escaping @Sendable (Value) -> Void = { _ in }
    ) async throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
            add(
                CommitQueue.Piece(weight: weight) { transaction in
                    let value = try work(&transaction)
                    return {
                        then(value)
                        continuation.resume(returning: .success(value))
                    }
                } fail: { error in
                    continuation.resume(returning: .failure(error))
                }
            )
        }
        return try result.get()
    }

    /// Makes the changes that wait, empties the log into the database, and takes nothing more.
    func close() {
        queue.withLock { $0.close() }
        database.writeWithoutTransaction { database in
            while commitNext(database) {}
            writer.withLock { $0.checkpoint(database) }
        }
    }

    private func add(_ piece: CommitQueue.Piece) {
        switch queue.withLock({ $0.add(piece) }) {
        case .waits: break
        case .wakes: scheduleCommit()
        case .refused(let error): piece.fail(error)
        }
    }

    /// Each commit takes its own turn on the connection: in memory, reads share it.
    private func scheduleCommit() {
        database.asyncWriteWithoutTransaction { database in
            if self.commitNext(database) { self.scheduleCommit() }
        }
    }

    /// Makes the first changes that wait; returns `false` if there were none.
    private func commitNext(_ database: Database) -> Bool {
        let pieces = queue.withLock { $0.next(itemLimit: itemsInCommit) }
        guard !pieces.isEmpty else { return false }
        commit(pieces[...], database)
        writer.withLock { $0.checkpointIfDue(database) }
        return true
    }

    /// Makes changes in one transaction; where one of them fails, each half in one of its own, and so on, so that in the end
    /// only its own caller hears of it, and nobody else pays much.
    private func commit(_ pieces: ArraySlice<CommitQueue.Piece>, _ database: Database) {
        let start = ContinuousClock.now
        var report = CommitReport(items: pieces.reduce(0) { $0 + $1.weight }, duration: .zero, wrote: false)
        do {
            let answers = try writer.withLock { writer in
                let commits = writer.counters.commits
                defer { report.wrote = writer.counters.commits != commits }
                return try writer.transact(database) { transaction in try pieces.map { try $0.run(&transaction) } }
            }
            report.duration = start.duration(to: .now)
            onCommit(report)
            for answer in answers { answer() }
        } catch {
            let storeError = StoreError(error)
            if pieces.count == 1 || storeError.concernsEverybody {
                report.duration = start.duration(to: .now)
                report.error = storeError
                onCommit(report)
                for piece in pieces { piece.fail(storeError) }
            } else {
                commit(pieces.prefix(pieces.count / 2), database)
                commit(pieces.dropFirst(pieces.count / 2), database)
            }
        }
    }
}
