internal import GRDB

/// The state of the writing connection: its counters, its cache, and whether it may write at all.
struct StoreWriter: Sendable {
    /// The counters as the last commit left them.
    private(set) var counters: StoreCounters

    private var cache = StoreCache()
    private var stopError: StoreError?

    /// The log of a store in a folder; `nil` in memory.
    private var log: WriteAheadLog?

    /// Creates a writer that goes on from `counters`.
    init(counters: StoreCounters, log: WriteAheadLog?) {
        self.counters = counters
        self.log = log
    }

    /// Runs a transaction, and returns once it is as durable as the database makes it.
    ///
    /// After an error that leaves the disk unknown nothing is written any more.
    ///
    /// - Parameters:
    ///   - database: the writing connection.
    ///   - body: makes the changes.
    /// - Returns: what `body` returned.
    /// - Throws: what went wrong; nothing has changed then.
    mutating func transact<Value>(
        _ database: Database,
        _ body: (inout StoreTransaction) throws -> Value
    ) throws -> Value {
        if let stopError { throw stopError }
        var transaction = StoreTransaction(database: database, counters: counters, cache: cache)
        // The transaction has the only copy, so that remembering one more thing does not copy the rest.
        cache = StoreCache()
        let changes = database.totalChangesCount
        do {
            try database.beginTransaction(.immediate)
            let value = try body(&transaction)
            if database.totalChangesCount != changes || transaction.counters != counters { try transaction.finish() }
            try database.commit()
            cache = transaction.cache
            if transaction.counters != counters {
                counters = transaction.counters
                // If this fails, the note is older than the database, which costs nothing but its use after a loss.
                note()
            }
            return value
        } catch {
            try? database.rollback()
            stopIfUnknown(error)
            throw error
        }
    }

    /// Notes how far the database has come.
    func note() {
        log?.note(counters)
    }

    /// Copies the log into the database if it has become long.
    mutating func checkpointIfDue(_ database: Database) {
        if log?.isCheckpointDue == true { checkpoint(database) }
    }

    /// Copies the log into the database and cuts it to nothing.
    ///
    /// If somebody still reads from it, or the disk is full, the log stays, and is tried again when it has grown.
    mutating func checkpoint(_ database: Database) {
        guard stopError == nil else { return }
        do {
            try log?.checkpoint(database, counters)
        } catch {
            stopIfUnknown(error)
        }
    }

    private mutating func stopIfUnknown(_ error: any Error) {
        if let error = error as? DatabaseError, error.leavesTheDiskUnknown { stopError = StoreError(error) }
    }
}
