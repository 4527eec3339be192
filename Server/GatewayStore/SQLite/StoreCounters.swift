internal import GRDB

/// The counters of the store: the number of commits, and the last assigned numbers.
struct StoreCounters: Sendable, Equatable {
    /// The number of transactions that changed something.
    var commitCount = 0

    /// The last sequence of a notification.
    var lastSequence = 0

    /// The last number of an agent.
    var lastAgentNumber = 0

    /// The last number of a batch.
    var lastBatchNumber = 0

    /// Returns counters that each have the greater value of both.
    func raised(to other: Self) -> Self {
        Self(
            commitCount: max(commitCount, other.commitCount),
            lastSequence: max(lastSequence, other.lastSequence),
            lastAgentNumber: max(lastAgentNumber, other.lastAgentNumber),
            lastBatchNumber: max(lastBatchNumber, other.lastBatchNumber)
        )
    }
}

extension StoreCounters {
    /// Reads the counters of the database.
    static func fetch(_ database: Database) throws -> Self {
        let row = try Row.fetchOne(database, sql: "SELECT commits, sequence, agents, batches FROM store")
        return row.map {
            Self(commitCount: $0[0], lastSequence: $0[1], lastAgentNumber: $0[2], lastBatchNumber: $0[3])
        } ?? Self()
    }
}
