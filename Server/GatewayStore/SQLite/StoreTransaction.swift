internal import GRDB
internal import WaypostSchema

/// One transaction of the writer: the database, the numbers it gives out, what it remembers, and what it has still to count.
///
/// Everything that changes the database is a method of it, one subject a file.
struct StoreTransaction {
    /// A batch of a namespace.
    struct BatchKey: Hashable {
        /// The namespace's number.
        var namespace: Int

        /// The batch's number.
        var number: Int
    }

    /// The writer's connection.
    let database: Database

    /// The numbers given out so far.
    var counters: StoreCounters

    /// What is remembered.
    var cache: StoreCache

    /// The seconds for which the log keeps what has ended; 0 keeps no log.
    var logRetention = LogRetention.standard

    private var tallies: [BatchKey: [DeliveryState: Int]] = [:]

    /// Creates the transaction that goes on from `counters`.
    init(database: Database, counters: StoreCounters, cache: StoreCache) {
        self.database = database
        self.counters = counters
        self.cache = cache
    }

    /// Executes a statement for what it changes.
    func execute(_ sql: String, _ arguments: StatementArguments) throws {
        let statement = try database.cachedStatement(sql: sql)
        statement.setUncheckedArguments(arguments)
        try statement.execute()
    }

    /// Returns what `read` makes of each row of a statement, which may be one that changes something.
    func rows<Value>(_ sql: String, _ arguments: StatementArguments, _ read: (Row) throws -> Value) throws -> [Value] {
        let rows = try Row.fetchCursor(database.cachedStatement(sql: sql), arguments: arguments)
        var values: [Value] = []
        while let row = try rows.next() { values.append(try read(row)) }
        return values
    }

    /// Counts `count` more notifications of a batch in `state`, or fewer.
    ///
    /// It is written once for each batch and transaction.
    mutating func count(_ count: Int, in state: DeliveryState, of batch: BatchKey) {
        tallies[batch, default: [:]][state, default: 0] += count
    }

    /// Returns what is to be counted for a batch that is about to be written, which need not be counted any more.
    mutating func takeTally(of batch: BatchKey) -> [DeliveryState: Int] {
        tallies.removeValue(forKey: batch) ?? [:]
    }

    /// Writes what is to be counted, for whoever reads or deletes batches.
    mutating func writeTallies() throws {
        for (batch, tally) in tallies {
            try execute(Self.countSQL, Self.counts(in: tally) + [batch.namespace, batch.number])
        }
        tallies.removeAll(keepingCapacity: true)
    }

    /// Writes what is left to write at the end of a transaction that changed something.
    mutating func finish() throws {
        try writeTallies()
        counters.commits += 1
        try execute(
            "UPDATE store SET commits = ?, sequence = ?, agents = ?, batches = ?",
            [
                counters.commits, counters.sequence, counters.agents,
                counters.batches,
            ]
        )
    }

    /// The states that the store counts, each of which has a column of its name.
    static let countedStates: [DeliveryState] = [
        .accepted, .stored, .acknowledged, .collapsed, .expired, .dropped, .unregistered,
    ]

    /// Returns a tally in the order of the columns.
    static func counts(in tally: [DeliveryState: Int]) -> StatementArguments {
        StatementArguments(countedStates.map { state -> (any DatabaseValueConvertible)? in tally[state] ?? 0 })
    }

    private static let countSQL =
        "UPDATE batch SET "
        + countedStates.map { "\($0.rawValue) = \($0.rawValue) + ?" }.joined(separator: ", ")
        + " WHERE namespace = ? AND number = ?"
}
