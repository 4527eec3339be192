internal import Delivery
internal import GRDB
internal import WaypostSchema

/// Methods that remove notifications from inboxes.
extension StoreTransaction {
    /// Removes acknowledged notifications from inboxes.
    ///
    /// One short statement for each notification takes less time than a statement with a list.
    mutating func acknowledge(_ acknowledgements: [AgentAcknowledgement]) throws -> StoreChanges {
        var deletion = try BoundStatement(database, Self.acknowledgementSQL)
        var end = try keepsLog ? BoundStatement(database, Self.acknowledgedSQL) : nil
        var changes = StoreChanges()
        for acknowledgement in acknowledgements {
            let agent = acknowledgement.agent
            guard let namespaceID = try number(of: agent.namespace) else { continue }
            for notification in acknowledgement.notifications {
                let sequence = notification.sequence
                deletion.bind(namespaceID)
                deletion.bind(agent.number)
                deletion.bind(sequence)
                guard let batch = try deletion.run() else { continue }
                count(.acknowledged, of: BatchKey(namespace: namespaceID, number: batch))
                try end?.noteEnd(of: sequence, in: namespaceID, notification.attempts, at: acknowledgement.moment)
                let batchNumber = BatchNumber(rawValue: batch)
                changes.removals.append(
                    StoreChanges.Removal(agent: agent, sequence: sequence, batch: batchNumber, state: .acknowledged)
                )
            }
        }
        return changes
    }

    private static let acknowledgementSQL =
        "DELETE FROM item WHERE namespace = ? AND agent = ? AND sequence = ? RETURNING batch"

    /// Removes the notification in `slot` of a device's topic from the inbox.
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

    /// Removes the stored notifications of a device, or of one of its topics, from the inbox.
    mutating func unregister(
        _ device: KnownDevice,
        for topic: Topic? = nil,
        of agent: AgentID,
        in namespaceID: Int,
        at now: Timestamp
    ) throws -> StoreChanges {
        let removals = try leave(
            as: .unregistered,
            from: agent.namespace,
            namespaceID,
            at: now,
            where: "namespace = ? AND agent = ? AND device = ?" + (topic == nil ? "" : " AND topic = ?"),
            [namespaceID, agent.number, device.number] + (topic.map { [$0.stored] } ?? [])
        )
        return StoreChanges(removals: removals)
    }

    /// Removes the notifications for which `condition` holds from a namespace's inboxes.
    ///
    /// - Parameters:
    ///   - state: the final state of the notifications.
    ///   - namespace: the namespace.
    ///   - namespaceID: the number of the namespace.
    ///   - moment: the time of the removal; `nil` if it is unknown.
    ///   - attempts: the times and the number of sends that are not recorded yet, by sequence.
    ///   - condition: the SQL condition.
    ///   - arguments: the arguments of the condition.
    /// - Returns: the removals, in ascending order of sequence.
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
        let removals = try database.rows(
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
            count(state, of: batch)
        }
        try noteEnds(of: removals.map(\.sequence), in: namespaceID, as: state, at: moment, attempts: attempts)
        return removals.count < 2 ? removals : removals.sorted { $0.sequence < $1.sequence }
    }

    /// Counts transient notifications in their final states, and records these in the log.
    ///
    /// One that has ended before, even before a restart, is ignored.
    mutating func settle(_ ends: [TransientEnd]) throws {
        for end in ends where Self.countedStates.contains(end.state) && end.state.isFinal {
            guard let namespaceID = try number(of: end.namespace), live.endTransient(end.sequence, in: namespaceID)
            else { continue }
            try execute(
                """
                UPDATE batch SET \(end.state.rawValue) = \(end.state.rawValue) + 1, accepted = accepted - 1
                WHERE namespace = ? AND number = ?
                """,
                [namespaceID, end.batch.rawValue]
            )
            var attempts: [Int: DeliveryAttempts] = [:]
            attempts[end.sequence] = end.attempts
            try noteEnds(of: [end.sequence], in: namespaceID, as: end.state, at: end.moment, attempts: attempts)
        }
    }
}
