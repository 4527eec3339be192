internal import GRDB
internal import WaypostSchema

/// Methods that run when a store is opened.
extension StoreTransaction {
    /// Brings the store into the state after a crash: transient notifications are dropped, and no agent is connected.
    ///
    /// Numbers up to `floor` were already assigned, although the database may have lost them; they are not assigned
    /// again.
    mutating func recover(above floor: StoreCounters) throws {
        counters = counters.raised(to: floor)
        try keepsLog ? recordDroppedTransients() : deleteLog()
        try execute("UPDATE batch SET dropped = dropped + accepted, accepted = 0 WHERE accepted > 0", [])
        let agents = try database.rows(
            """
            SELECT DISTINCT namespace.name, item.agent FROM item
            JOIN namespace ON namespace.number = item.namespace WHERE item.loose = 1
            """,
            []
        ) { AgentID(namespace: Namespace(databaseText: $0[0]), number: $0[1]) }
        for agent in agents { _ = try collapseInbox(of: agent, at: nil) }
    }

    /// Deletes the whole log when no log is kept any longer.
    private func deleteLog() throws {
        for table in ["log", "log_batch", "log_segment", "log_name"] { try execute("DELETE FROM \(table)", []) }
    }

    /// Records in the log that transient notifications were dropped, at an unknown time.
    ///
    /// It must be called before these are counted as dropped: an index contains the batches that still have any.
    private mutating func recordDroppedTransients() throws {
        let ranges = try database.rows(
            """
            SELECT log_batch.namespace, first, last, log_batch.created FROM batch
            CROSS JOIN log_batch ON log_batch.namespace = batch.namespace AND log_batch.number = batch.number
            WHERE accepted > 0
            """,
            []
        ) { row -> [Int] in [row[0], row[1], row[2], row[3]] }
        for range in ranges {
            let sequences = try database.rows(
                """
                UPDATE log SET state = '\(DeliveryState.dropped.rawValue)', ended = ?4
                WHERE namespace = ?1 AND sequence BETWEEN ?2 AND ?3 AND state = '\(DeliveryState.accepted.rawValue)'
                RETURNING sequence
                """,
                StatementArguments(range)
            ) { $0[0] as Int }
            for sequence in sequences { try updateSegmentEnd(of: sequence, in: range[0], at: range[3]) }
        }
    }
}
