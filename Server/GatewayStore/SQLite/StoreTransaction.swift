internal import GRDB
internal import WaypostSchema

/// A transaction of the writer: the database, the assigned numbers, the cache, the live state, and the counts to write.
///
/// All changes to the database are its methods; each file covers one subject.
struct StoreTransaction {
    /// The key of a batch in a namespace.
    struct BatchKey: Hashable {
        /// The namespace's number.
        var namespace: Int

        /// The batch's number.
        var number: Int
    }

    /// The writer's connection.
    let database: Database

    /// The numbers assigned so far.
    var counters: StoreCounters

    /// The cache of the writer.
    var cache: StoreCache

    /// The sessions, and the transient notifications that have not ended.
    var liveState: LiveState

    /// The seconds for which the log keeps notifications that have ended; 0 keeps no log.
    var logRetention = Retention.logLifetime

    private var tallies: [BatchKey: [DeliveryState: Int]] = [:]

    /// Creates the transaction that continues from `counters`.
    init(database: Database, counters: StoreCounters, cache: StoreCache, liveState: LiveState = LiveState()) {
        self.database = database
        self.counters = counters
        self.cache = cache
        self.liveState = liveState
    }

    /// Executes a statement that returns no rows.
    func execute(_ sql: String, _ arguments: StatementArguments) throws {
        let statement = try database.cachedStatement(sql: sql)
        statement.setUncheckedArguments(arguments)
        try statement.execute()
    }

    /// Counts a notification of a batch that left an inbox for a final state.
    ///
    /// The sums are written once per batch and transaction.
    mutating func recordState(_ state: DeliveryState, of batch: BatchKey) {
        tallies[batch, default: [:]][state, default: 0] += 1
    }

    /// Writes the collected counts, for statements that read or delete batches.
    mutating func writeTallies() throws {
        for (batch, tally) in tallies {
            var changes = tally
            changes[.stored] = -tally.values.reduce(0, +)
            try execute(Self.countSQL, Self.counts(in: changes) + [batch.namespace, batch.number])
        }
        tallies.removeAll(keepingCapacity: true)
    }

    /// Writes the counts and counters at the end of a transaction that changed something.
    mutating func finish() throws {
        try writeTallies()
        counters.commitCount += 1
        try execute(
            "UPDATE store SET commits = ?, sequence = ?, agents = ?, batches = ?",
            [
                counters.commitCount, counters.lastSequence, counters.lastAgentNumber, counters.lastBatchNumber,
            ]
        )
    }

    /// Returns the counts in the order of the columns.
    static func counts(in tally: [DeliveryState: Int]) -> StatementArguments {
        StatementArguments(DeliveryState.counted.map { state -> (any DatabaseValueConvertible)? in tally[state] ?? 0 })
    }

    private static let countSQL =
        "UPDATE batch SET "
        + DeliveryState.counted.map { "\($0.rawValue) = \($0.rawValue) + ?" }.joined(separator: ", ")
        + " WHERE namespace = ? AND number = ?"
}

extension Database {
    /// Returns what `read` makes of each row of a statement's result; the statement may change the database.
    func rows<Value>(_ sql: String, _ arguments: StatementArguments, read: (Row) throws -> Value) throws -> [Value] {
        let rows = try Row.fetchCursor(cachedStatement(sql: sql), arguments: arguments)
        var values: [Value] = []
        while let row = try rows.next() { values.append(try read(row)) }
        return values
    }
}
