internal import GRDB
internal import PushRules
internal import WaypostSchema

/// Methods that remove notifications from inboxes.
extension StoreTransaction {
    /// Removes acknowledged notifications from inboxes.
    mutating func acknowledge(_ acknowledgements: [AgentAcknowledgement]) throws -> StoreChanges {
        var inboxRemoval = try InboxRemoval(self)
        var changes = StoreChanges()
        for acknowledgement in acknowledgements {
            let agent = acknowledgement.agent
            guard let namespaceID = try namespaceID(of: agent.namespace) else { continue }
            for notification in acknowledgement.notifications {
                let removal = try remove(
                    notification.sequence,
                    of: agent,
                    namespaceID,
                    as: .acknowledged,
                    at: acknowledgement.time,
                    attempts: notification.attempts,
                    by: &inboxRemoval
                )
                if let removal { changes.removals.append(removal) }
            }
        }
        return changes
    }

    /// Removes the notification in `slot` of a device's topic from the inbox.
    mutating func collapse(
        _ slot: CollapseSlot,
        of topic: Topic,
        _ device: Int,
        of agent: AgentID,
        namespaceID: Int,
        at now: Timestamp
    ) throws -> [StoreChanges.Removal] {
        try removeNotifications(
            as: .collapsed,
            from: agent.namespace,
            namespaceID,
            at: now,
            where: "namespace = ? AND device = ? AND topic = ? AND slot = ?",
            [namespaceID, device, topic.databaseText, slot.databaseText]
        )
    }

    /// Removes the stored notifications of a device, or of one of its topics, from the inbox.
    mutating func removeNotifications(
        of device: DeviceRecord,
        for topic: Topic?,
        as state: DeliveryState,
        agent: AgentID,
        in namespaceID: Int,
        at now: Timestamp
    ) throws -> StoreChanges {
        let removals = try removeNotifications(
            as: state,
            from: agent.namespace,
            namespaceID,
            at: now,
            where: "namespace = ? AND agent = ? AND device = ?" + (topic == nil ? "" : " AND topic = ?"),
            [namespaceID, agent.number, device.number] + (topic.map { [$0.databaseText] } ?? [])
        )
        return StoreChanges(removals: removals)
    }

    /// Removes the notifications for which `condition` holds from a namespace's inboxes.
    ///
    /// - Parameters:
    ///   - state: the final state of the notifications.
    ///   - namespace: the namespace.
    ///   - namespaceID: the number of the namespace.
    ///   - time: the time of the removal; `nil` if it is unknown.
    ///   - condition: the SQL condition.
    ///   - arguments: the arguments of the condition.
    /// - Returns: the removals, in ascending order of sequence.
    /// - Throws: `DatabaseError`.
    mutating func removeNotifications(
        as state: DeliveryState,
        from namespace: Namespace,
        _ namespaceID: Int,
        at time: Timestamp?,
        where condition: String,
        _ arguments: StatementArguments
    ) throws -> [StoreChanges.Removal] {
        let rows = try database.rows("SELECT sequence, agent FROM item WHERE \(condition)", arguments) {
            (sequence: $0[0] as Int, agent: $0[1] as Int)
        }
        guard !rows.isEmpty else { return [] }
        var inboxRemoval = try InboxRemoval(self)
        return try rows.sorted { $0.sequence < $1.sequence }.compactMap { sequence, agent in
            let agent = AgentID(namespace: namespace, number: agent)
            return try remove(sequence, of: agent, namespaceID, as: state, at: time, attempts: nil, by: &inboxRemoval)
        }
    }

    /// Removes a notification from an inbox, counts it in its batch, and records its end.
    ///
    /// - Returns: the removal, or nothing if the notification is not in the inbox.
    private mutating func remove(
        _ sequence: Int,
        of agent: AgentID,
        _ namespaceID: Int,
        as state: DeliveryState,
        at time: Timestamp?,
        attempts: DeliveryAttempts?,
        by inboxRemoval: inout InboxRemoval
    ) throws -> StoreChanges.Removal? {
        let batch = try inboxRemoval.moveToLog(sequence, of: agent.number, as: state, at: time, attempts: attempts)
        guard let batch else { return nil }
        recordState(state, of: BatchKey(namespace: namespaceID, number: batch))
        // An unknown time of arrival is earlier than any retention; what ends later is kept nevertheless.
        if keepsLog { try updateSegmentEnd(of: sequence, in: namespaceID, at: time?.rawValue ?? 0) }
        return StoreChanges.Removal(
            agent: agent,
            sequence: sequence,
            batch: BatchNumber(rawValue: batch),
            state: state
        )
    }
}
