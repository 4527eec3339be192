internal import Foundation
internal import GRDB

/// What the writing connection goes on from: the counters, what it remembers, and whether it may write at all.
///
/// The log is copied into the database (a checkpoint) by this alone, and cut to nothing afterwards. In between, the file
/// `commits` says so: a log that lost its end after some of it was copied leaves newer pages beside older ones in the
/// database, which only a check of the whole file can tell. As long as the note does not say so, whatever the log loses
/// leaves an earlier state of the store, whole.
struct StoreWriter: Sendable {
    /// The counters as the last commit left them.
    private(set) var counters: StoreCounters

    private var cache = LedgerCache()
    private var fault: StoreFault?
    private let commits: CommitFile
    private var isCheckpointing: Bool
    private let logPath: String
    private let logBytes: Int
    private var logBytesWhenDue: Int

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - counters: what the database has counted.
    ///   - commits: where it is noted after each commit how far the database has come.
    ///   - isCheckpointing: whether a checkpoint was begun that may not have come to its end.
    ///   - logPath: the file that the database writes first.
    ///   - logBytes: how long that may become.
    init(counters: StoreCounters, commits: CommitFile, isCheckpointing: Bool, logPath: String, logBytes: Int) {
        self.counters = counters
        self.commits = commits
        self.isCheckpointing = isCheckpointing
        self.logPath = logPath
        self.logBytes = logBytes
        logBytesWhenDue = logBytes
    }

    /// Runs a transaction, and returns once it is on the disk.
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
        _ body: (inout Ledger) throws -> Value
    ) throws -> Value {
        if let fault { throw fault }
        var ledger = Ledger(database: database, counters: counters, cache: cache)
        // The ledger has the only copy, so that remembering one more thing does not copy the rest.
        cache = LedgerCache()
        let changes = database.totalChangesCount
        do {
            try database.beginTransaction(.immediate)
            let value = try body(&ledger)
            if database.totalChangesCount != changes || ledger.counters != counters { try ledger.finish() }
            try database.commit()
            cache = ledger.cache
            if ledger.counters != counters {
                counters = ledger.counters
                // Where this fails the note is older than the database, which costs nothing but its use after a loss.
                note()
            }
            return value
        } catch {
            try? database.rollback()
            if let error = error as? DatabaseError, error.leavesTheDiskUnknown { fault = StoreFault(error) }
            throw error
        }
    }

    /// Notes how far the database has come; `false` where that failed.
    @discardableResult
    func note() -> Bool {
        commits.write(CommitNote(counters: counters, isCheckpointing: isCheckpointing))
    }

    /// Copies the log into the database, if it has become long.
    mutating func checkpointIfDue(_ database: Database) {
        guard logLength >= logBytesWhenDue else { return }
        checkpoint(database)
    }

    /// Copies the log into the database and cuts it to nothing.
    ///
    /// Where somebody still reads from it, or the disk is full, the log stays, and is tried again when it has grown.
    mutating func checkpoint(_ database: Database) {
        isCheckpointing = true
        logBytesWhenDue = logLength + logBytes
        guard fault == nil, note(), commits.sync() else { return }
        do {
            try database.checkpoint(.truncate)
            isCheckpointing = false
            note()
            logBytesWhenDue = logBytes
        } catch {
            if let error = error as? DatabaseError, error.leavesTheDiskUnknown { fault = StoreFault(error) }
        }
    }

    private var logLength: Int {
        var status = stat()
        return stat(logPath, &status) == 0 ? Int(status.st_size) : 0
    }
}
