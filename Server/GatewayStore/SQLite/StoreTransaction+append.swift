internal import Foundation
internal import GRDB
internal import PushRules
internal import WaypostSchema

/// Methods that store a batch.
extension StoreTransaction {
    /// Stores a batch as its plan says.
    mutating func append(_ batch: NewBatch, at now: Timestamp) throws -> AppendOutcome {
        let namespace = try namespaceID(of: batch.namespace)
        if let namespace, let key = batch.key?.key, let keyed = try keyedBatch(with: key, in: namespace, at: now) {
            return .duplicate(keyed)
        }
        let plan = try plan(batch, in: namespace, at: now)
        if plan.isBatchRefused { return .refused(plan.refusals) }
        let arrival = BatchArrival(
            batch: plan.annotate(batch),
            plan: plan,
            batchKey: BatchKey(namespace: try findOrCreateNamespaceID(of: batch.namespace), number: nextBatchNumber()),
            firstSequence: reserveSequences(plan.sequenceCount),
            time: now
        )
        let removals = try insertItems(arrival)
        try insertBatch(arrival)
        try recordInLog(arrival)
        return .appended(
            plan.appendedBatch(
                arrival.batch,
                as: BatchNumber(rawValue: arrival.batchKey.number),
                from: arrival.firstSequence,
                removals: removals
            )
        )
    }

    private mutating func plan(_ batch: NewBatch, in namespace: Int?, at now: Timestamp) throws -> BatchPlan {
        let recipients = try batch.notifications.indices.map { index -> Recipient? in
            guard let namespace, let device = try device(batch.notifications[index].token, in: namespace) else {
                return nil
            }
            return device.recipient(isConnected: liveState.hasSession(device.agent))
        }
        let modes = try namespace.map { try storageModes(in: $0) } ?? [:]
        return BatchPlan(
            batch,
            for: recipients,
            modes: modes,
            createsNamespace: namespace == nil,
            keepsLog: keepsLog,
            at: now
        )
    }

    private mutating func nextBatchNumber() -> Int {
        counters.lastBatchNumber += 1
        return counters.lastBatchNumber
    }

    /// Reserves contiguous sequences; returns the first one.
    private mutating func reserveSequences(_ count: Int) -> Int {
        defer { counters.lastSequence += count }
        return counters.lastSequence + 1
    }

    /// Puts the notifications into the inboxes.
    ///
    /// - Returns: the notifications that left the inboxes, because they lost their slots.
    private mutating func insertItems(_ arrival: BatchArrival) throws -> [StoreChanges.Removal] {
        var removals: [StoreChanges.Removal] = []
        var insertion = try BoundStatement(database, Self.insertItemSQL)
        for (index, fate) in arrival.plan.fates.enumerated() {
            switch fate {
            case .stored(let placement, _):
                if let slot = placement.slot { removals += try collapse(slot, of: placement, arrival, index: index) }
                try insertion.insert(arrival, index, at: placement)
            case .sent: liveState.addTransient(arrival.sequence(of: index), in: arrival.batchKey.namespace)
            case .refused, .collapsed, .ended: break
            }
        }
        return removals
    }

    private mutating func collapse(
        _ slot: CollapseSlot,
        of placement: BatchPlan.InboxPlacement,
        _ arrival: BatchArrival,
        index: Int
    ) throws -> [StoreChanges.Removal] {
        try collapse(
            slot,
            of: arrival.batch.notifications[index].topic,
            placement.device,
            of: AgentID(namespace: arrival.batch.namespace, number: placement.agent),
            namespaceID: arrival.batchKey.namespace,
            at: arrival.time
        )
    }

    private static let insertItemSQL = """
        INSERT INTO item (sequence, namespace, agent, batch, device, topic, push_type, priority, expiration, deadline,
            collapse_id, slot, loose, id, payload, checksum, findings, traceparent)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    /// Writes the row of a stored batch, and its idempotency key.
    private func insertBatch(_ arrival: BatchArrival) throws {
        let (batch, plan, key) = (arrival.batch, arrival.plan, arrival.batchKey)
        let storedAnswer = batch.encodeAnswer?(plan.refusals)
        try execute(
            "INSERT INTO batch VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [key.namespace, key.number, batch.id.databaseText, arrival.time.rawValue, nil, plan.rejectedCount]
                + Self.counts(in: plan.countsByState) + [storedAnswer.map { Data($0) }]
        )
        guard let idempotencyKey = batch.key else { return }
        try execute(
            "INSERT OR REPLACE INTO idempotency VALUES (?, ?, ?, ?, ?)",
            [
                key.namespace, StoredString.encode(idempotencyKey.key), Data(idempotencyKey.fingerprint), key.number,
                arrival.time.rawValue,
            ]
        )
    }
}

extension BoundStatement {
    /// Inserts a notification into an inbox; its row follows all others.
    fileprivate mutating func insert(
        _ arrival: BatchArrival,
        _ index: Int,
        at placement: BatchPlan.InboxPlacement
    ) throws {
        let notification = arrival.batch.notifications[index]
        bind(arrival.sequence(of: index))
        bind(arrival.batchKey.namespace)
        bind(placement.agent)
        bind(arrival.batchKey.number)
        bind(placement.device)
        bind(notification.topic.databaseText)
        bind(notification.pushType.databaseText)
        bind(notification.priority)
        bind(notification.expiration)
        bind(placement.deadline)
        bind(notification.collapseID?.databaseText)
        bind(placement.slot?.databaseText)
        bind(placement.isSlotDeferred ? 1 : nil)
        bind(notification.id.databaseText)
        bind(notification.payload)
        bind(PayloadChecksum.of(notification.payload))
        bind(StoredFindings.encode(notification.findings))
        bind(notification.traceparent?.rawValue)
        try run()
    }
}

/// A batch that is being stored, with its numbers.
struct BatchArrival {
    /// The batch.
    let batch: NewBatch

    /// The decisions about it.
    let plan: BatchPlan

    /// The numbers of its namespace and of the batch.
    let batchKey: StoreTransaction.BatchKey

    /// The first of its sequences.
    let firstSequence: Int

    /// The time of its arrival.
    let time: Timestamp

    /// Returns the sequence of the notification at `index`; meaningless if it needs none.
    func sequence(of index: Int) -> Int {
        plan.sequence(of: index, from: firstSequence)
    }
}
