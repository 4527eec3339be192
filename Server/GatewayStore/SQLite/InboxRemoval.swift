internal import GRDB
internal import PushRules
internal import WaypostSchema

/// The statements that move a notification from its inbox to the log.
///
/// Short statements for each notification take less time than a statement with a list. None of them returns rows of a
/// change, because SQLite would create a temporary table for these.
struct InboxRemoval {
    private var selectStatement: BoundStatement
    private var copyStatement: BoundStatement?
    private var deleteStatement: BoundStatement

    /// Prepares the statements; without a log, the notification is only deleted.
    init(_ transaction: StoreTransaction) throws {
        selectStatement = try BoundStatement(transaction.database, Self.selectSQL)
        copyStatement = try transaction.keepsLog ? BoundStatement(transaction.database, Self.copySQL) : nil
        deleteStatement = try BoundStatement(transaction.database, Self.deleteSQL)
    }

    /// Moves a notification to the log.
    ///
    /// - Parameters:
    ///   - sequence: its sequence.
    ///   - agent: the number of the agent with the inbox.
    ///   - state: its final state.
    ///   - time: the time of its end; `nil` if it is unknown, which records the time of arrival.
    ///   - attempts: the times and the number of sends that are not recorded yet.
    /// - Returns: the number of its batch; `nil` if it is not in the inbox.
    /// - Throws: `DatabaseError`.
    mutating func moveToLog(
        _ sequence: Int,
        of agent: Int,
        as state: DeliveryState,
        at time: Timestamp?,
        attempts: DeliveryAttempts?
    ) throws -> Int? {
        selectStatement.bind(sequence)
        selectStatement.bind(agent)
        guard let row = try selectStatement.next(), let batch = row.integer(0) else { return nil }
        defer { selectStatement.reset() }
        copyStatement?.bind(sequence)
        copyStatement?.bind(state.rawValue)
        copyStatement?.bind(attempts?.first.rawValue)
        copyStatement?.bind(attempts?.last.rawValue)
        copyStatement?.bind(attempts?.count ?? 0)
        copyStatement?.bind(time?.rawValue)
        for column in 0..<Int32(Self.columns.count) { copyStatement?.bind(column, of: row) }
        try copyStatement?.run()
        deleteStatement.bind(sequence)
        try deleteStatement.run()
        return batch
    }

    /// The columns that an entry of the log has from its notification, the batch first.
    private static let columns = [
        "batch", "namespace", "device", "topic", "push_type", "priority", "expiration", "collapse_id", "id", "findings",
        "attempts", "first_sent", "last_sent", "traceparent",
    ]

    /// Numbers of agents are not used again in another namespace.
    private static let selectSQL =
        "SELECT \(columns.joined(separator: ", ")) FROM item WHERE sequence = ? AND agent = ?"

    /// An insertion of values needs no journal, unlike a copy from one table to another.
    private static let copySQL = """
        INSERT INTO log (sequence, state, batch, namespace, device, topic, push_type, priority, expiration, collapse_id,
            id, findings, attempts, first_sent, last_sent, traceparent, ended)
        VALUES (?1, ?2, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17 + ?5, coalesce(min(?18, ?3), ?18, ?3),
            coalesce(max(?19, ?4), ?19, ?4), ?20, coalesce(?6, (
                SELECT created FROM log_batch WHERE log_batch.namespace = ?8 AND log_batch.number = ?7
            ), 0))
        """

    private static let deleteSQL = "DELETE FROM item WHERE sequence = ?"
}
