internal import GRDB
internal import WaypostSchema

/// What the store has counted so far: how many commits, and the last numbers that it gave out.
struct StoreCounters: Sendable, Equatable {
    /// How many transactions changed something.
    var commits = 0

    /// The last sequence of a notification.
    var sequence = 0

    /// The last number of an agent.
    var agents = 0

    /// The last number of a batch.
    var batches = 0

    /// Returns the greater of both in each place.
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
    /// Reads what the database has counted.
    static func fetch(_ database: Database) throws -> Self {
        let row = try Row.fetchOne(database, sql: "SELECT commits, sequence, agents, batches FROM store")
        return row.map { Self(commits: $0[0], sequence: $0[1], agents: $0[2], batches: $0[3]) } ?? Self()
    }
}

extension StoreTransaction {
    /// Brings the store to where a crash leaves it: what was now or never is dropped, and nobody is connected.
    ///
    /// Numbers up to `floor` were given out already, which the database may have lost; they are not given out again.
    mutating func recover(above floor: StoreCounters) throws {
        counters = counters.raised(to: floor)
        try keepsLog ? noteDropped() : dropLog()
        try execute("UPDATE batch SET dropped = dropped + accepted, accepted = 0 WHERE accepted > 0", [])
        let agents = try rows(
            """
            SELECT DISTINCT namespace.name, item.agent FROM item
            JOIN namespace ON namespace.number = item.namespace WHERE item.loose = 1
            """,
            []
        ) { AgentID(namespace: Namespace(stored: $0[0]), number: $0[1]) }
        for agent in agents { _ = try disconnect(agent, at: nil) }
    }

    /// Forgets the whole log, where none is kept any more.
    private func dropLog() throws {
        try execute("DELETE FROM log", [])
        try execute("DELETE FROM log_batch", [])
    }

    /// Notes in the log that what was now or never is dropped, of which nobody knows when.
    ///
    /// It is called before that is counted: the batches that have any are in an index.
    private func noteDropped() throws {
        let ranges = try rows(
            """
            SELECT log_batch.namespace, first, last, log_batch.created FROM batch
            CROSS JOIN log_batch ON log_batch.namespace = batch.namespace AND log_batch.number = batch.number
            WHERE accepted > 0
            """,
            []
        ) { row -> StatementArguments in [row[0] as Int, row[1] as Int, row[2] as Int, row[3] as Int] }
        for range in ranges {
            try execute(
                """
                UPDATE log SET state = '\(DeliveryState.dropped.rawValue)', ended = ?4
                WHERE namespace = ?1 AND sequence BETWEEN ?2 AND ?3 AND state = '\(DeliveryState.accepted.rawValue)'
                """,
                range
            )
        }
    }
}
