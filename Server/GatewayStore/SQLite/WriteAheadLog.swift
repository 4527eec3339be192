internal import Foundation
internal import GRDB
internal import GRDBSQLite
internal import LocalFiles
internal import Synchronization

/// The write-ahead log of SQLite, with the file `commits`, which records how far the database has come.
///
/// Only `checkpoint` and `truncate` copy the write-ahead log into the database (`keepLogOnClose`). Before they begin,
/// they record this in the file `commits`: if the log lost its end after a part of it was copied, the database would
/// mix newer and older pages, which only a check of the whole file detects. While no checkpoint is recorded, any loss
/// in the log leaves an earlier, consistent state of the store.
///
/// The log has a limited length also on a full disk, because checkpoints need no space (`StoreSpace`).
struct WriteAheadLog: Sendable {
    private let length: WriteAheadLogLength
    private let commitFile: OpenFile
    private let lengthLimit: Int
    private let lock: FolderLock
    private var nextCheckpointLength: Int
    private var isCheckpointing: Bool
    private var hasFailedSync = false
    private var space: StoreSpace

    /// Whether commits reserve space; none does while the store is opened.
    private var isReserving = false

    /// Whether a backup is in progress, which would delay a truncation of the log for a long time.
    private let isBackupInProgress: @Sendable () -> Bool

    /// Creates the log of the database that `database` writes to.
    ///
    /// - Parameters:
    ///   - database: the only connection that writes.
    ///   - lock: the lock of the folder with the files.
    ///   - commitFile: the file that records how far the database has come.
    ///   - isCheckpointing: whether a checkpoint began that may not be complete.
    ///   - lengthLimit: the size in bytes from which the log is copied into the database.
    ///   - isBackupInProgress: whether a backup is in progress.
    /// - Throws: `DatabaseError`.
    init(
        _ database: Database,
        in lock: FolderLock,
        commitFile: OpenFile,
        isCheckpointing: Bool,
        lengthLimit: Int,
        isBackupInProgress: @escaping @Sendable () -> Bool
    ) throws {
        self.isBackupInProgress = isBackupInProgress
        length = try WriteAheadLogLength(database)
        self.commitFile = commitFile
        self.isCheckpointing = isCheckpointing
        self.lengthLimit = lengthLimit
        nextCheckpointLength = lengthLimit
        self.lock = lock
        space = StoreSpace(databaseReserve: lengthLimit / 8, logReserve: lengthLimit)
        // A large transaction that was rolled back would leave a large file.
        try database.execute(sql: "PRAGMA journal_size_limit = \(Self.fileSizeFactor * lengthLimit)")
    }

    /// Whether there is room on the disk for changes that add something.
    var hasRoom: Bool {
        space.hasRoom
    }

    /// Begins to reserve space for commits.
    ///
    /// - Throws: `DatabaseError`; a full disk is not an error, because the store can be read.
    mutating func startReserving(_ database: Database) throws {
        isReserving = true
        let lock = lock
        space.reserveExistingPages(try StoreSpace.PageUse(database, pageSize: length.pageSize)) {
            lock.reserve($1, of: $0)
        }
        do {
            try reserveSpace(for: database, addsSomething: false)
        } catch StoreError.full {}
    }

    /// Reserves the disk space for the running transaction, before it is committed.
    ///
    /// - Parameters:
    ///   - database: the connection that writes.
    ///   - addsSomething: whether the transaction stores something new, such as notifications or devices.
    /// - Throws: `StoreError.full` if it must not be committed, or `DatabaseError`.
    mutating func reserveSpace(for database: Database, addsSomething: Bool) throws {
        guard isReserving else { return }
        let pages = try StoreSpace.PageUse(database, pageSize: length.pageSize)
        let lock = lock
        let isAdmitted = space.admits(pages, addsSomething: addsSomething) { lock.reserve($1, of: $0) }
        guard isAdmitted else { throw StoreError.full }
    }

    /// Whether a checkpoint may help a commit for which the disk had no room.
    var mayGainRoom: Bool {
        if space.hasFailedCheckpoint || length.bytes >= lengthLimit / 4 { return true }
        // Before the first commit, only the size of the file is available.
        return lock.logFileSize > (length.bytes == 0 ? lengthLimit / 4 : Self.fileSizeFactor * lengthLimit)
    }

    /// Whether the last checkpoint failed because the disk was full.
    var hasFailedCheckpoint: Bool {
        space.hasFailedCheckpoint
    }

    /// Records the counters; returns `false` if that failed.
    @discardableResult
    func recordCounters(_ counters: StoreCounters) -> Bool {
        let record = CommitRecord(
            counters: counters,
            isCheckpointing: isCheckpointing,
            hasFailedSync: hasFailedSync
        )
        return commitFile.overwrite(with: record.bytes)
    }

    /// Records that a sync failed, so that the next gateway makes the log durable before it continues it.
    ///
    /// The record itself needs no sync: if the machine crashes, too, the next gateway sees what the disk has.
    mutating func recordFailedSync(_ counters: StoreCounters) {
        hasFailedSync = true
        recordCounters(counters)
    }

    /// Whether the log has become long.
    var isCheckpointDue: Bool {
        length.bytes >= nextCheckpointLength
    }

    /// Copies the log into the database and starts a new one, if the file `commits` can record this first.
    ///
    /// The file of the log keeps its size, because to overwrite it takes less time than to empty it and let it grow
    /// again. The new log starts with an empty commit, which is counted: until then, the file contains the former log,
    /// and losing a part of that would leave a mixture. While a reader uses the log, it is continued instead, and
    /// due again soon.
    ///
    /// - Throws: `DatabaseError`; the log stays then, and is due again when it has grown.
    mutating func checkpoint(_ database: Database, _ counters: inout StoreCounters) throws {
        let isTooLong = length.bytes > Self.truncationFactor * lengthLimit
        if isTooLong, !isBackupInProgress() { return try truncate(database, counters) }
        let previous = length.bytes
        guard beginCheckpoint(counters) else { return }
        try copy(to: database, .passive)
        // An update that changes nothing would write nothing.
        try database.inTransaction(.immediate) {
            try database.execute(sql: "UPDATE store SET commits = commits + 1")
            return .commit
        }
        counters.commitCount += 1
        // The checkpoint has released the reserve of the database.
        try? reserveSpace(for: database, addsSomething: false)
        guard length.bytes < previous else {
            nextCheckpointLength = length.bytes + lengthLimit / 8
            return
        }
        endCheckpoint(counters)
    }

    /// Copies the log into the database, and truncates it, if the file `commits` can record this first.
    ///
    /// - Throws: `DatabaseError`; the log stays then, and is due again when it has grown.
    mutating func truncate(_ database: Database, _ counters: StoreCounters) throws {
        guard beginCheckpoint(counters) else { return }
        try copy(to: database, .truncate)
        length.reset()
        space.recordLogTruncation()
        endCheckpoint(counters)
    }

    /// Copies the log into the database.
    private mutating func copy(to database: Database, _ mode: Database.CheckpointMode) throws {
        do {
            try database.checkpoint(mode)
        } catch {
            let isFull = StoreError(error) == .full
            if isFull { space.recordFailedCheckpoint() }
            // After a failure, the log must not become much longer before the next attempt. If the disk was full, a few
            // of the small commits that check the store show that there is room again.
            nextCheckpointLength = length.bytes + lengthLimit / (isFull ? 512 : 8)
            throw error
        }
        let pages = try StoreSpace.PageUse(database, pageSize: length.pageSize)
        space.recordCheckpoint(databaseLength: pages.count * pages.size)
    }

    private mutating func beginCheckpoint(_ counters: StoreCounters) -> Bool {
        isCheckpointing = true
        nextCheckpointLength = length.bytes + lengthLimit
        return recordCounters(counters) && (try? commitFile.sync()) != nil
    }

    private mutating func endCheckpoint(_ counters: StoreCounters) {
        isCheckpointing = false
        recordCounters(counters)
        nextCheckpointLength = lengthLimit
    }

    /// The multiple of the length limit from which a log is truncated, so that a few large commits do not leave a large
    /// file.
    private static let truncationFactor = 4

    /// The multiple of the length limit to which the file of the log is cut when the next log begins.
    private static let fileSizeFactor = 2
}

/// The length of a write-ahead log, which SQLite reports after each commit.
///
/// The size of the file may be larger, because a new log overwrites a former one.
private final class WriteAheadLogLength: Sendable {
    private let frameCount = Atomic(0)

    /// The size of a page in bytes.
    let pageSize: Int

    /// The size of a frame: a page and its header (https://www.sqlite.org/fileformat2.html, 4.1).
    private var frameSize: Int { 24 + pageSize }

    /// Begins to count the frames that `database` writes.
    init(_ database: Database) throws {
        pageSize = try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0
        // Only the owner of this object makes commits, so there is none after its end.
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_wal_hook(
            database.sqliteConnection,
            { context, _, _, count in
                guard let context else { return SQLITE_OK }
                let length = Unmanaged<WriteAheadLogLength>.fromOpaque(context).takeUnretainedValue()
                length.frameCount.store(Int(count), ordering: .relaxed)
                return SQLITE_OK
            },
            context
        )
    }

    /// The length in bytes after the last commit.
    var bytes: Int {
        frameCount.load(ordering: .relaxed) * frameSize
    }

    /// Records that the log was truncated.
    func reset() {
        frameCount.store(0, ordering: .relaxed)
    }
}
