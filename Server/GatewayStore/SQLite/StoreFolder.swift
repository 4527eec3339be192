internal import Foundation

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

    /// Makes the folder where it is not there, readable for its owner alone, and takes its lock.
    func lock() throws(StoreOpeningFault) -> FolderLock {
        try make()
        do {
            return try FolderLock(path: lockFile)
        } catch {
            switch error {
            case .taken: throw .inUse(path: path)
            case .unusable(let code): throw Self.fault(code, at: lockFile)
            }
        }
    }

    /// Opens the file `commits`.
    func commits() throws(StoreOpeningFault) -> CommitFile {
        guard let file = CommitFile(path: commitFile) else { throw Self.fault(errno, at: commitFile) }
        return file
    }

    /// Returns the first bytes of the database, `nil` where there is none, or nothing in it.
    func header() throws(StoreOpeningFault) -> FileHeader? {
        guard let file = FileHandle(forReadingAtPath: database) else {
            if errno == ENOENT { return nil }
            throw Self.fault(errno, at: database)
        }
        let bytes: Data?
        do {
            bytes = try file.read(upToCount: FileHeader.length)
        } catch {
            throw .failed(path: database, reason: "\(error)")
        }
        guard let bytes, !bytes.isEmpty else { return nil }
        guard let header = FileHeader(bytes: [UInt8](bytes)) else { throw .foreign(path: database) }
        return header
    }

    private func make() throws(StoreOpeningFault) {
        do {
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw .folderCannotBeMade(path: path, reason: error.localizedDescription)
        }
    }

    private static func fault(_ code: CInt, at path: String) -> StoreOpeningFault {
        switch code {
        case EACCES, EPERM, EROFS, EISDIR: .notWritable(path: path)
        case ENOSPC, EDQUOT: .full(path: path)
        default: .failed(path: path, reason: String(cString: strerror(code)))
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
