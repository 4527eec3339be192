internal import Foundation
internal import GRDB

/// The log that SQLite writes first, and the file `commits` that says beside it how far the database has come.
///
/// `checkpoint` alone copies the log into the database, and cuts it to nothing afterwards. In between, the file `commits`
/// says so: a log that lost its end after some of it was copied leaves newer pages beside older ones in the database, which
/// only a check of the whole file can tell. As long as the note does not say so, whatever the log loses leaves an earlier
/// state of the store, whole.
struct WriteAheadLog: Sendable {
    private let path: String
    private let commits: CommitFile
    private let lengthLimit: Int
    private var lengthWhenDue: Int
    private var isCheckpointing: Bool

    /// Creates the log at `path`.
    ///
    /// - Parameters:
    ///   - path: the log's file.
    ///   - commits: the file that says how far the database has come.
    ///   - isCheckpointing: whether a checkpoint was begun that may not have come to its end.
    ///   - lengthLimit: the bytes from which on the log is copied into the database.
    init(path: String, commits: CommitFile, isCheckpointing: Bool, lengthLimit: Int) {
        self.path = path
        self.commits = commits
        self.isCheckpointing = isCheckpointing
        self.lengthLimit = lengthLimit
        lengthWhenDue = lengthLimit
    }

    /// Notes how far the database has come; returns `false` if that failed.
    @discardableResult
    func note(_ counters: StoreCounters) -> Bool {
        commits.write(CommitNote(counters: counters, isCheckpointing: isCheckpointing))
    }

    /// Whether the log has become long.
    var isCheckpointDue: Bool {
        length >= lengthWhenDue
    }

    /// Copies the log into the database and cuts it to nothing, if the file `commits` can say so before.
    ///
    /// - Throws: `DatabaseError`; the log stays then, and is due again when it has grown.
    mutating func checkpoint(_ database: Database, _ counters: StoreCounters) throws {
        isCheckpointing = true
        lengthWhenDue = length + lengthLimit
        guard note(counters), commits.sync() else { return }
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
