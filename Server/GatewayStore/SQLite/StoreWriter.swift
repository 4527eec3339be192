internal import GRDB

/// The state of the writing connection: its counters, its cache, the live state, and the error that stopped it, if any.
struct StoreWriter: Sendable {
    /// The counters of the last commit.
    private(set) var counters: StoreCounters

    private var cache = StoreCache()
    private var liveState = LiveState()
    private var stopError: StoreError?

    /// The write-ahead log of a store in a folder; `nil` in memory.
    private var log: WriteAheadLog?

    /// Returns whether the files are still in place.
    private let isInPlace: @Sendable () -> Bool

    /// Creates a writer that continues from `counters`.
    init(
        counters: StoreCounters,
        log: WriteAheadLog?,
        isInPlace: @escaping @Sendable () -> Bool = { true }
    ) {
        self.counters = counters
        self.log = log
        self.isInPlace = isInPlace
    }

    /// Runs a transaction, and returns once it is as durable as the database makes it.
    ///
    /// After an error that leaves the contents of the disk unknown, the writer writes nothing more.
    ///
    /// - Parameters:
    ///   - database: the writing connection.
    ///   - body: makes the changes.
    /// - Returns: the result of `body`.
    /// - Throws: the error of `body` or of the database; nothing has changed then. `StoreError.outcomeUnknown` if the
    ///   disk failed during the commit: after a restart, the change may be there or not.
    mutating func transact<Value>(
        _ database: Database,
        _ body: (inout StoreTransaction) throws -> Value
    ) throws -> Value {
        if let stopError { throw stopError }
        // Writes to a file without a path would succeed, and be lost with the process.
        guard isInPlace() else { throw StoreError.moved }
        var transaction = StoreTransaction(database: database, counters: counters, cache: cache, liveState: liveState)
        // The transaction gets the only copies, so that an insertion does not copy the rest.
        cache = StoreCache()
        liveState = LiveState()
        let changes = database.totalChangesCount
        var isCommitting = false
        do {
            try database.beginTransaction(.immediate)
            let value = try body(&transaction)
            if database.totalChangesCount != changes || transaction.counters != counters {
                let addsSomething = transaction.counters.hasNewNumbers(since: counters)
                try transaction.finish()
                try log?.reserveSpace(for: database, addsSomething: addsSomething)
            }
            isCommitting = true
            try database.commit()
            cache = transaction.cache
            liveState = transaction.liveState
            liveState.commit()
            if transaction.counters != counters {
                counters = transaction.counters
                // If this fails, the record is older than the database, so a later loss may go unnoticed.
                recordCounters()
            }
            return value
        } catch {
            try? database.rollback()
            liveState = transaction.liveState
            liveState.rollBack()
            stopIfUnknown(error)
            throw isCommitting && stopError != nil ? StoreError.outcomeUnknown : error
        }
    }

    /// Records the counters in the file `commits`.
    func recordCounters() {
        log?.recordCounters(counters)
    }

    /// Copies the write-ahead log into the database if it has become long.
    ///
    /// If a reader still uses the write-ahead log, or the disk is full, it stays; the next attempt follows when it has
    /// grown.
    mutating func checkpointIfDue(_ database: Database) {
        guard log?.isCheckpointDue == true else { return }
        changeLog { try $0.checkpoint(database, &$1) }
    }

    /// Whether there is room on the disk for changes that add something; true in memory.
    var hasRoom: Bool {
        log?.hasRoom ?? true
    }

    /// Begins to reserve disk space for commits.
    mutating func startReserving(_ database: Database) throws {
        try log?.startReserving(database)
    }

    /// Copies the write-ahead log into the database if this may make room on a full disk.
    ///
    /// - Returns: whether it was copied, so that the next commit may succeed.
    mutating func makeRoom(_ database: Database) -> Bool {
        guard log?.mayGainRoom == true else { return false }
        changeLog { try $0.checkpoint(database, &$1) }
        return log?.hasFailedCheckpoint == false
    }

    /// Copies the write-ahead log into the database and truncates it, unless a reader still uses it.
    ///
    /// - Parameters:
    ///   - database: the connection that writes.
    ///   - floor: counters that were recorded before, if those of the database may be lower.
    mutating func truncateLog(_ database: Database, above floor: StoreCounters = StoreCounters()) {
        changeLog { try $0.truncate(database, $1.raised(to: floor)) }
    }

    private mutating func changeLog(_ change: (inout WriteAheadLog, inout StoreCounters) throws -> Void) {
        guard stopError == nil, var log else { return }
        do {
            defer { self.log = log }
            try change(&log, &counters)
        } catch {
            stopIfUnknown(error)
        }
    }

    private mutating func stopIfUnknown(_ error: any Error) {
        guard let error = error as? DatabaseError, error.makesDiskStateUnknown else { return }
        stopError = StoreError(error)
        if error.extendedResultCode == .SQLITE_IOERR_FSYNC { log?.recordFailedSync(counters) }
    }
}
