internal import Delivery
internal import Foundation
internal import GRDB
internal import WaypostSchema

/// What becomes of a batch when it comes in.
extension Ledger {
    /// Takes a batch in, and decides about each notification.
    mutating func append(_ batch: NewBatch, connected: Set<AgentID>, at now: Timestamp) throws -> AppendOutcome {
        let known = try number(of: batch.namespace)
        if let known, let key = batch.key?.key, let keyed = try keyedBatch(with: key, in: known, at: now) {
            return .known(keyed)
        }
        let recipients = try batch.notifications.map { try recipient(of: $0, in: known) }
        let refusals = recipients.map(\.refusal)
        if batch.isAtomic, batch.rejected > 0 || refusals.contains(where: { $0 != nil }) {
            return .refusedWhole(refusals)
        }
        var intake = Intake(
            home: try makeNumber(of: batch.namespace),
            namespace: batch.namespace,
            number: nextBatchNumber(),
            refusals: refusals,
            connected: connected,
            now: now
        )
        for (notification, recipient) in zip(batch.notifications, recipients) {
            if case .success(let device) = recipient { try accept(notification, for: device, &intake) }
        }
        try write(batch, intake)
        return .appended(intake.appended)
    }

    private mutating func recipient(
        of notification: NewNotification,
        in namespace: Int?
    ) throws -> Result<KnownDevice, StoreRefusal> {
        guard let namespace, let device = try device(notification.token, in: namespace) else {
            return .failure(.unknownToken)
        }
        return device.refusal(of: notification.topic).map(Result.failure) ?? .success(device)
    }

    private mutating func nextBatchNumber() -> Int {
        counters.batches += 1
        return counters.batches
    }

    private mutating func accept(
        _ notification: NewNotification,
        for device: KnownDevice,
        _ intake: inout Intake
    ) throws {
        let policy = StoragePolicy(try mode(of: notification.topic, in: intake.home), for: notification.topic)
        let reach = DeviceReach(
            isConnected: intake.isConnected(device.agent),
            isPowerConstrained: device.isConstrained
        )
        switch policy.arrival(of: notification.traits, at: reach, now: intake.now) {
        case .store(let slot, let deadline):
            let item = NewItem(
                notification: notification,
                device: device,
                slot: slot,
                isLoose: slot == nil && policy.mode == .apns,
                deadline: deadline
            )
            try store(item, &intake)
        case .send:
            count(1, in: .accepted, of: intake.key)
            intake.fly(notification, to: device.agent, sequence: nextSequence())
        case .drop:
            count(1, in: .dropped, of: intake.key)
            intake.appended.changes.batches.insert(intake.appended.number)
        case .expire:
            count(1, in: .expired, of: intake.key)
            intake.appended.changes.batches.insert(intake.appended.number)
        }
    }

    private mutating func store(_ item: NewItem, _ intake: inout Intake) throws {
        if let slot = item.slot {
            let agent = intake.agent(item.device.agent)
            intake.appended.changes.append(try collapse(slot, of: item, of: agent, in: intake.home))
        }
        try insert(item, sequence: nextSequence(), batch: intake.key)
        count(1, in: .stored, of: intake.key)
        intake.appended.changes.agents.insert(intake.agent(item.device.agent))
    }

    private mutating func nextSequence() -> Int {
        counters.sequence += 1
        return counters.sequence
    }

    private func insert(_ item: NewItem, sequence: Int, batch: BatchKey) throws {
        let notification = item.notification
        try execute(
            "INSERT INTO item VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                batch.namespace.databaseValue, item.device.agent.databaseValue, sequence.databaseValue,
                batch.number.databaseValue, item.device.number.databaseValue, notification.topic.stored,
                notification.pushType.stored, notification.priority.databaseValue,
                notification.expiration?.databaseValue ?? .null, item.deadline?.databaseValue ?? .null,
                notification.collapseID?.stored ?? .null, item.slot?.stored ?? .null,
                item.isLoose ? 1.databaseValue : .null, notification.id.stored,
                Data(notification.payload).databaseValue,
            ]
        )
    }

    private mutating func write(_ batch: NewBatch, _ intake: Intake) throws {
        let refusals = intake.appended.refusals
        let record = batch.makeRecord?(refusals)
        let tally = takeTally(of: intake.key)
        try execute(
            "INSERT INTO batch VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                intake.key.namespace.databaseValue, intake.key.number.databaseValue, batch.id.stored,
                intake.now.rawValue.databaseValue,
                (batch.rejected + refusals.count { $0 != nil }).databaseValue,
            ] + Self.countedStates.map { (tally[$0] ?? 0).databaseValue } + [
                record.map { Data($0).databaseValue } ?? .null
            ]
        )
        guard let key = batch.key else { return }
        try execute(
            "INSERT OR REPLACE INTO idempotency VALUES (?, ?, ?, ?, ?)",
            [
                intake.key.namespace.databaseValue, StoredText.encode(key.key).databaseValue,
                Data(key.fingerprint).databaseValue, intake.key.number.databaseValue, intake.now.rawValue.databaseValue,
            ]
        )
    }
}

/// A notification that is about to be written.
struct NewItem {
    /// The notification.
    var notification: NewNotification

    /// Its device.
    var device: KnownDevice

    /// The slot that it has.
    var slot: CollapseSlot?

    /// Whether it has no slot because its device can be reached, and is to have one when that ends.
    var isLoose: Bool

    /// When it expires, in seconds since 1970.
    var deadline: Int?
}

/// What decides about the notifications of a batch, and what became of them so far.
private struct Intake {
    let home: Int
    let namespace: Namespace
    let connected: Set<AgentID>
    let now: Timestamp
    var appended: Appended

    init(
        home: Int,
        namespace: Namespace,
        number: Int,
        refusals: [StoreRefusal?],
        connected: Set<AgentID>,
        now: Timestamp
    ) {
        self.home = home
        self.namespace = namespace
        self.connected = connected
        self.now = now
        appended = Appended(
            number: BatchNumber(rawValue: number),
            refusals: refusals,
            changes: StoreChanges()
        )
    }

    var key: Ledger.BatchKey {
        Ledger.BatchKey(namespace: home, number: appended.number.rawValue)
    }

    func agent(_ number: Int) -> AgentID {
        AgentID(namespace: namespace, number: number)
    }

    func isConnected(_ agent: Int) -> Bool {
        !connected.isEmpty && connected.contains(self.agent(agent))
    }

    mutating func fly(_ notification: NewNotification, to agent: Int, sequence: Int) {
        let stored = StoredNotification(sequence: sequence, batch: appended.number, notification: notification)
        appended.flights.append(Flight(agent: self.agent(agent), notification: stored))
    }
}

extension Result where Failure == StoreRefusal {
    fileprivate var refusal: StoreRefusal? {
        guard case .failure(let refusal) = self else { return nil }
        return refusal
    }
}
