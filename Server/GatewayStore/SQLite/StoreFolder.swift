internal import Foundation
internal import LocalFiles

/// The folder of a store, and what is in it.
struct StoreFolder {
    /// Its path.
    let path: String

    /// The database.
    var database: String { path + "/waypost.sqlite" }

    /// What the database writes first.
    var log: String { database + "-wal" }

    private var lockFile: String { path + "/lock" }
    private var commitFile: String { path + "/commits" }

    /// Makes the folder where it is not there, readable for its owner alone, and takes its lock: one gateway at a time has
    /// it.
    ///
    /// The system lets go of the lock when the process ends, however it ends, so that nothing stale is ever in the way.
    func lock() throws(StoreOpeningError) -> OpenFile {
        try make()
        do {
            let lock = try OpenFile(path: lockFile, O_RDWR | O_CREAT)
            if try lock.lock() { return lock }
        } catch {
            throw Self.openingError(error, at: lockFile)
        }
        throw .inUse(path: path)
    }

    /// Opens the file `commits`, and reads the note in it.
    func commits() throws(StoreOpeningError) -> (file: CommitFile, note: CommitNote?) {
        do {
            let file = try CommitFile(path: commitFile)
            return (file, try file.read())
        } catch {
            throw Self.openingError(error, at: commitFile)
        }
    }

    /// Returns what the first bytes of the database say; `nil` where there is none, or nothing in it.
    func header() throws(StoreOpeningError) -> FileHeader? {
        let bytes: [UInt8]
        do {
            bytes = try OpenFile(path: database).read(upTo: FileHeader.length)
        } catch {
            if error.code == ENOENT { return nil }
            throw Self.openingError(error, at: database)
        }
        guard !bytes.isEmpty else { return nil }
        guard let header = FileHeader(bytes: bytes) else { throw .foreign(path: database) }
        return header
    }

    private func make() throws(StoreOpeningError) {
        guard !FileManager.default.fileExists(atPath: path + "/") else { return }
        do {
            try WholeFile.createFolder(path)
        } catch {
            throw .folderCannotBeMade(path: path, reason: error.localizedDescription)
        }
        // A folder that a crash of the machine forgets would take everything in it along.
        try? WholeFile.syncEntry(of: path)
    }

    private static func openingError(_ error: SystemError, at path: String) -> StoreOpeningError {
        switch error.code {
        case EACCES, EPERM, EROFS, EISDIR: .notWritable(path: path)
        case ENOSPC, EDQUOT: .full(path: path)
        default: .failed(path: path, reason: "\(error)")
        }
    }
}

/// What the first bytes of a database say (https://www.sqlite.org/fileformat2.html, 1.3).
///
/// They tell a file that is not ours, or is newer, before SQLite touches it. A store writes them to a new file before
/// anything else, and again after each migration.
struct FileHeader: Equatable {
    /// How many bytes there are.
    static let length = 100

    private static let mark = Array("SQLite format 3\u{0}".utf8)

    /// The schema's version (`PRAGMA user_version`).
    let version: Int

    /// Whose file it is (`PRAGMA application_id`).
    let applicationID: Int32

    /// Reads the bytes; `nil` where they are no database's.
    init?(bytes: [UInt8]) {
        guard bytes.count == Self.length, bytes.starts(with: Self.mark) else { return nil }
        let word = { (start: Int) in bytes[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } }
        version = Int(Int32(bitPattern: word(60)))
        applicationID = Int32(bitPattern: word(68))
    }
}
