internal import Delivery
internal import GRDB
internal import WaypostSchema

/// The statements that move a notification from its inbox to the log.
///
/// One short statement for each notification takes less time than a statement with a list.
struct InboxRemoval {
    private var copy: BoundStatement?
    private var deletion: BoundStatement

    /// Prepares the statements; without a log, the notification is only deleted.
    init(_ transaction: StoreTransaction) throws {
        copy = try transaction.keepsLog ? BoundStatement(transaction.database, Self.copySQL) : nil
        deletion = try BoundStatement(transaction.database, Self.deletionSQL)
    }

    /// Moves a notification.
    ///
    /// - Parameters:
    ///   - sequence: its sequence.
    ///   - agent: the number of the agent with the inbox.
    ///   - state: its final state.
    ///   - moment: the time of its end; `nil` if it is unknown, which records the time of arrival.
    ///   - attempts: the times and the number of sends that are not recorded yet.
    /// - Returns: the number of its batch; `nil` if it is not in the inbox.
    /// - Throws: `DatabaseError`.
    mutating func move(
        _ sequence: Int,
        of agent: Int,
        as state: DeliveryState,
        at moment: Timestamp?,
        attempts: DeliveryAttempts?
    ) throws -> Int? {
        copy?.bind(sequence)
        copy?.bind(attempts?.first.rawValue)
        copy?.bind(attempts?.last.rawValue)
        copy?.bind(attempts?.count ?? 0)
        copy?.bind(state.rawValue)
        copy?.bind(moment?.rawValue)
        copy?.bind(agent)
        try copy?.run()
        deletion.bind(sequence)
        deletion.bind(agent)
        return try deletion.run()
    }

    /// Numbers of agents are not used again in another namespace.
    private static let copySQL = """
        INSERT INTO log (sequence, namespace, batch, state, ended, device, topic, push_type, priority, expiration,
            collapse_id, id, attempts, first_sent, last_sent, findings)
        SELECT sequence, namespace, batch, ?5, coalesce(?6, (
                SELECT created FROM log_batch
                WHERE log_batch.namespace = item.namespace AND log_batch.number = item.batch
            ), 0), device, topic, push_type, priority, expiration, collapse_id, id, attempts + ?4,
            \(StoreTransaction.firstSent), \(StoreTransaction.lastSent), findings
        FROM item WHERE sequence = ?1 AND agent = ?7
        """

    private static let deletionSQL = "DELETE FROM item WHERE sequence = ? AND agent = ? RETURNING batch"
}
