internal import GRDB
internal import WaypostSchema

/// The counters of the store: the number of commits, and the last assigned numbers.
struct StoreCounters: Sendable, Equatable {
    /// The number of transactions that changed something.
    var commits = 0

    /// The last sequence of a notification.
    var sequence = 0

    /// The last number of an agent.
    var agents = 0

    /// The last number of a batch.
    var batches = 0

    /// Returns the greater value of each counter.
    func raised(to other: Self) -> Self {
        Self(
            commits: max(commits, other.commits),
            sequence: max(sequence, other.sequence),
            agents: max(agents, other.agents),
            batches: max(batches, other.batches)
        )
    }
}

extension StoreCounters {
    /// Reads the counters of the database.
    static func fetch(_ database: Database) throws -> Self {
        let row = try Row.fetchOne(database, sql: "SELECT commits, sequence, agents, batches FROM store")
        return row.map { Self(commits: $0[0], sequence: $0[1], agents: $0[2], batches: $0[3]) } ?? Self()
    }
}

extension StoreTransaction {
    /// Brings the store into the state after a crash: transient notifications are dropped, and no agent is connected.
    ///
    /// Numbers up to `floor` were already assigned, although the database may have lost them; they are not assigned
    /// again.
    mutating func recover(above floor: StoreCounters) throws {
        counters = counters.raised(to: floor)
        try keepsLog ? recordDropped() : dropLog()
        try execute("UPDATE batch SET dropped = dropped + accepted, accepted = 0 WHERE accepted > 0", [])
        let agents = try database.rows(
            """
            SELECT DISTINCT namespace.name, item.agent FROM item
            JOIN namespace ON namespace.number = item.namespace WHERE item.loose = 1
            """,
            []
        ) { AgentID(namespace: Namespace(stored: $0[0]), number: $0[1]) }
        for agent in agents { _ = try disconnect(agent, at: nil) }
    }

    /// Deletes the whole log when no log is kept any longer.
    private func dropLog() throws {
        for table in ["log", "log_batch", "log_segment", "log_name"] { try execute("DELETE FROM \(table)", []) }
    }

    /// Records in the log that transient notifications were dropped, at an unknown time.
    ///
    /// It must be called before these are counted as dropped: an index contains the batches that still have any.
    private mutating func recordDropped() throws {
        let ranges = try database.rows(
            """
            SELECT log_batch.namespace, first, last, log_batch.created FROM batch
            CROSS JOIN log_batch ON log_batch.namespace = batch.namespace AND log_batch.number = batch.number
            WHERE accepted > 0
            """,
            []
        ) { row -> [Int] in [row[0], row[1], row[2], row[3]] }
        for range in ranges {
            let dropped = try database.rows(
                """
                UPDATE log SET state = '\(DeliveryState.dropped.rawValue)', ended = ?4
                WHERE namespace = ?1 AND sequence BETWEEN ?2 AND ?3 AND state = '\(DeliveryState.accepted.rawValue)'
                RETURNING sequence
                """,
                StatementArguments(range)
            ) { $0[0] as Int }
            for sequence in dropped { try recordEnd(of: sequence, in: range[0], at: range[3]) }
        }
    }
}
