internal import Foundation
internal import GRDB
internal import LocalFiles

/// The write-ahead log of SQLite, with the file `commits`, which records how far the database has come.
///
/// Only `checkpoint` copies the write-ahead log into the database, and truncates it afterward. In the meantime, the
/// file `commits` says so: if the log lost its end after a part of it was copied, the database would mix newer and
/// older pages, which only a check of the whole file detects. While no checkpoint is recorded, any loss in the log
/// leaves an earlier, consistent state of the store.
struct WriteAheadLog: Sendable {
    private let path: String
    private let commits: OpenFile
    private let lengthLimit: Int
    private var lengthWhenDue: Int
    private var isCheckpointing: Bool

    /// Creates the log at `path`.
    ///
    /// - Parameters:
    ///   - path: the path of the log.
    ///   - commits: the file that records how far the database has come.
    ///   - isCheckpointing: whether a checkpoint began that may not be complete.
    ///   - lengthLimit: the size in bytes from which the log is copied into the database.
    init(path: String, commits: OpenFile, isCheckpointing: Bool, lengthLimit: Int) {
        self.path = path
        self.commits = commits
        self.isCheckpointing = isCheckpointing
        self.lengthLimit = lengthLimit
        lengthWhenDue = lengthLimit
    }

    /// Records the counters; returns `false` if that failed.
    @discardableResult
    func note(_ counters: StoreCounters) -> Bool {
        commits.overwrite(with: CommitNote(counters: counters, isCheckpointing: isCheckpointing).bytes)
    }

    /// Whether the log has become long.
    var isCheckpointDue: Bool {
        length >= lengthWhenDue
    }

    /// Copies the log into the database and truncates it, if the file `commits` can record this first.
    ///
    /// - Throws: `DatabaseError`; the log stays then, and is due again when it has grown.
    mutating func checkpoint(_ database: Database, _ counters: StoreCounters) throws {
        isCheckpointing = true
        lengthWhenDue = length + lengthLimit
        guard note(counters), (try? commits.sync()) != nil else { return }
        try database.checkpoint(.truncate)
        isCheckpointing = false
        note(counters)
        lengthWhenDue = lengthLimit
    }

    private var length: Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }
}
