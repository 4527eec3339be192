internal import Foundation
internal import GRDB
internal import PushRules
internal import WaypostSchema

/// Methods that store a batch.
extension StoreTransaction {
    /// Stores a batch as its plan says.
    mutating func append(_ batch: NewBatch, at now: Timestamp) throws -> AppendOutcome {
        let namespace = try number(of: batch.namespace)
        if let namespace, let key = batch.key?.key, let keyed = try keyedBatch(with: key, in: namespace, at: now) {
            return .duplicate(keyed)
        }
        let plan = try plan(batch, in: namespace, at: now)
        if plan.isBatchRefused { return .refused(plan.refusals) }
        let arriving = ArrivingBatch(
            batch: batch,
            plan: plan,
            key: BatchKey(namespace: try findOrCreateNumber(of: batch.namespace), number: nextBatchNumber()),
            first: takeSequences(plan.sequenceCount),
            now: now
        )
        let removals = try store(arriving)
        try write(arriving)
        try recordInLog(arriving)
        return .appended(
            plan.appendedBatch(
                batch,
                as: BatchNumber(rawValue: arriving.key.number),
                from: arriving.first,
                removals: removals
            )
        )
    }

    private mutating func plan(_ batch: NewBatch, in namespace: Int?, at now: Timestamp) throws -> BatchPlan {
        let recipients = try batch.notifications.indices.map { index -> Recipient? in
            guard let namespace, let device = try device(batch.notifications[index].token, in: namespace) else {
                return nil
            }
            return device.recipient(isConnected: live.hasSession(device.agent))
        }
        let modes = try namespace.map { try storageModes(in: $0) } ?? [:]
        return BatchPlan(batch, for: recipients, modes: modes, keepsLog: keepsLog, at: now)
    }

    private mutating func nextBatchNumber() -> Int {
        counters.batches += 1
        return counters.batches
    }

    /// Draws contiguous sequences; returns the first.
    private mutating func takeSequences(_ count: Int) -> Int {
        defer { counters.sequence += count }
        return counters.sequence + 1
    }

    /// Puts the notifications into the inboxes.
    ///
    /// - Returns: the notifications that left the inboxes, because they lost their slots.
    private mutating func store(_ arriving: ArrivingBatch) throws -> [StoreChanges.Removal] {
        var removals: [StoreChanges.Removal] = []
        var insertion = try BoundStatement(database, Self.insertionSQL)
        for (index, fate) in arriving.plan.fates.enumerated() {
            switch fate {
            case .stored(let place, _):
                if let slot = place.slot { removals += try collapse(slot, of: place, arriving, index: index) }
                try insertion.insert(arriving, index, at: place)
            case .sent: live.addTransient(arriving.sequence(of: index), in: arriving.key.namespace)
            case .refused, .collapsed, .ended: break
            }
        }
        return removals
    }

    private mutating func collapse(
        _ slot: CollapseSlot,
        of place: BatchPlan.Place,
        _ arriving: ArrivingBatch,
        index: Int
    ) throws -> [StoreChanges.Removal] {
        try collapse(
            slot,
            of: arriving.batch.notifications[index].topic,
            place.device,
            of: AgentID(namespace: arriving.batch.namespace, number: place.agent),
            namespaceID: arriving.key.namespace,
            at: arriving.now
        )
    }

    private static let insertionSQL = """
        INSERT INTO item (sequence, namespace, agent, batch, device, topic, push_type, priority, expiration, deadline,
            collapse_id, slot, loose, id, payload, checksum, findings, traceparent)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    /// Writes the row of a stored batch, and its idempotency key.
    private func write(_ arriving: ArrivingBatch) throws {
        let (batch, plan, key) = (arriving.batch, arriving.plan, arriving.key)
        let record = batch.makeRecord?(plan.refusals)
        try execute(
            "INSERT INTO batch VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [key.namespace, key.number, batch.id.stored, arriving.now.rawValue, nil, plan.rejected]
                + Self.counts(in: plan.counts) + [record.map { Data($0) }]
        )
        guard let idempotency = batch.key else { return }
        try execute(
            "INSERT OR REPLACE INTO idempotency VALUES (?, ?, ?, ?, ?)",
            [
                key.namespace, StoredString.encode(idempotency.key), Data(idempotency.fingerprint), key.number,
                arriving.now.rawValue,
            ]
        )
    }
}

extension BoundStatement {
    /// Inserts a notification into an inbox; its row follows all others.
    fileprivate mutating func insert(_ arriving: ArrivingBatch, _ index: Int, at place: BatchPlan.Place) throws {
        let notification = arriving.batch.notifications[index]
        bind(arriving.sequence(of: index))
        bind(arriving.key.namespace)
        bind(place.agent)
        bind(arriving.key.number)
        bind(place.device)
        bind(notification.topic.stored)
        bind(notification.pushType.stored)
        bind(notification.priority)
        bind(notification.expiration)
        bind(place.deadline)
        bind(notification.collapseID?.stored)
        bind(place.slot?.stored)
        bind(place.isLoose ? 1 : nil)
        bind(notification.id.stored)
        bind(notification.payload)
        bind(PayloadChecksum.of(notification.payload))
        bind(StoredFindings.encode(notification.findings))
        bind(notification.traceparent?.rawValue)
        try run()
    }
}

/// A batch that is being stored, with its numbers.
struct ArrivingBatch {
    /// The batch.
    let batch: NewBatch

    /// The decisions about it.
    let plan: BatchPlan

    /// The numbers of its namespace and of the batch.
    let key: StoreTransaction.BatchKey

    /// The first of its sequences.
    let first: Int

    /// The time of its arrival.
    let now: Timestamp

    /// Returns the sequence of a notification; any if it needs none.
    func sequence(of index: Int) -> Int {
        plan.sequence(of: index, from: first)
    }
}
