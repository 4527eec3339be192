internal import Delivery
internal import GRDB
internal import WaypostSchema

/// How notifications leave inboxes.
extension StoreTransaction {
    /// Takes `sequences` out of an agent's inbox as acknowledged.
    mutating func acknowledge(
        _ agent: AgentID,
        _ sequences: [Int],
        attempts: [Int: DeliveryAttempts],
        at now: Timestamp
    ) throws -> StoreChanges {
        guard let namespaceID = try number(of: agent.namespace) else { return StoreChanges() }
        var changes = StoreChanges()
        changes.removals = try leave(
            as: .acknowledged,
            from: agent.namespace,
            namespaceID,
            at: now,
            attempts: attempts,
            where: "namespace = ? AND agent = ? AND sequence IN (SELECT value FROM json_each(?))",
            [namespaceID, agent.number, Self.list(sequences)]
        )
        return changes
    }

    /// Takes what has `slot` of a device's topic out of the inbox.
    mutating func collapse(
        _ slot: CollapseSlot,
        of topic: Topic,
        _ device: Int,
        of agent: AgentID,
        _ namespaceID: Int,
        at now: Timestamp
    ) throws -> [StoreChanges.Removal] {
        try leave(
            as: .collapsed,
            from: agent.namespace,
            namespaceID,
            at: now,
            where: "namespace = ? AND device = ? AND topic = ? AND slot = ?",
            [namespaceID, device, topic.stored, slot.stored]
        )
    }

    /// Takes what is stored for a device, or for one topic of it, out of the inbox.
    mutating func unregister(
        _ device: KnownDevice,
        for topic: Topic? = nil,
        of agent: AgentID,
        in namespaceID: Int,
        at now: Timestamp
    ) throws -> StoreChanges {
        var changes = StoreChanges()
        changes.removals = try leave(
            as: .unregistered,
            from: agent.namespace,
            namespaceID,
            at: now,
            where: "namespace = ? AND agent = ? AND device = ?" + (topic == nil ? "" : " AND topic = ?"),
            [namespaceID, agent.number, device.number] + (topic.map { [$0.stored] } ?? [])
        )
        return changes
    }

    /// Takes what `condition` holds for out of a namespace's inboxes.
    ///
    /// - Parameters:
    ///   - state: the final state that it is in then.
    ///   - namespace: the namespace.
    ///   - namespaceID: its number.
    ///   - moment: when that is; `nil` where nobody knows.
    ///   - attempts: when and how often it was sent since that was noted, by sequence.
    ///   - condition: what holds for it.
    ///   - arguments: the arguments of the condition.
    /// - Returns: what left, ascending.
    /// - Throws: `DatabaseError`.
    mutating func leave(
        as state: DeliveryState,
        from namespace: Namespace,
        _ namespaceID: Int,
        at moment: Timestamp?,
        attempts: [Int: DeliveryAttempts] = [:],
        where condition: String,
        _ arguments: StatementArguments
    ) throws -> [StoreChanges.Removal] {
        let removals = try rows(
            "DELETE FROM item WHERE \(condition) RETURNING agent, sequence, batch",
            arguments
        ) { row in
            StoreChanges.Removal(
                agent: AgentID(namespace: namespace, number: row[0]),
                sequence: row[1],
                batch: BatchNumber(rawValue: row[2]),
                state: state
            )
        }
        for removal in removals {
            let batch = BatchKey(namespace: namespaceID, number: removal.batch.rawValue)
            count(-1, in: .stored, of: batch)
            count(1, in: state, of: batch)
        }
        try noteEnds(of: removals.map(\.sequence), in: namespaceID, as: state, at: moment, attempts: attempts)
        return removals.count < 2 ? removals : removals.sorted { $0.sequence < $1.sequence }
    }

    /// Counts notifications that were now or never in their final states, and notes those in the log.
    mutating func settle(_ ends: [TransientEnd]) throws {
        for end in ends where Self.countedStates.contains(end.state) && end.state.isFinal {
            guard let namespaceID = try number(of: end.namespace) else { continue }
            try execute(
                """
                UPDATE batch SET \(end.state.rawValue) = \(end.state.rawValue) + 1, accepted = accepted - 1
                WHERE namespace = ? AND number = ? AND accepted > 0
                """,
                [namespaceID, end.batch.rawValue]
            )
            var attempts: [Int: DeliveryAttempts] = [:]
            attempts[end.sequence] = end.attempts
            try noteEnds(of: [end.sequence], in: namespaceID, as: end.state, at: end.moment, attempts: attempts)
        }
    }
}
