internal import Foundation
internal import LocalFiles

/// The folder of a store, and its files.
struct StoreFolder: Sendable {
    /// The path of the folder.
    let path: String

    /// The path of the database.
    var databasePath: String { path + "/waypost.sqlite" }

    /// The path of the database's write-ahead log.
    var logPath: String { databasePath + "-wal" }

    /// The path of the rollback journal, which SQLite needs until the database has a write-ahead log.
    ///
    /// A journal that is still there later was left by an interrupted creation, or by another program.
    var journalPath: String { databasePath + "-journal" }

    /// The path of a backup while it is written.
    var backupPath: String { path + "/.waypost-copy" }

    /// Whether the folder contains a store, or parts of one.
    var isOccupied: Bool {
        [databasePath, logPath, journalPath, commitPath].contains { FileManager.default.fileExists(atPath: $0) }
    }

    /// Whether the write-ahead log has contents, or cannot be read.
    var hasLogContents: Bool {
        guard FileManager.default.fileExists(atPath: logPath) else { return false }
        return (try? OpenFile(path: logPath).size()) != 0
    }

    /// The maximum size of a database that may consist of zeros: a new one has a single page, of 64 KiB at most.
    private static let maximumSizeWithoutContents = 1 << 16

    private var lockPath: String { path + "/lock" }
    private var commitPath: String { path + "/commits" }

    /// Creates the folder if it does not exist, readable only for its owner, and locks it for one gateway.
    ///
    /// The system releases the lock when the process ends in any way, so a stale lock never blocks a start.
    func lock() throws(StoreOpeningError) -> OpenFile {
        try createIfNeeded()
        return try openAndLock(lockPath)
    }

    /// Locks the folder, as `lock()`, and calls `fill`, which puts a store into it.
    ///
    /// If `fill` fails, the lock file and the folder are removed if they did not exist before.
    func fillWhileLocked(_ fill: () throws(StoreOpeningError) -> Void) throws(StoreOpeningError) {
        let newPaths = [lockPath, path].filter { !FileManager.default.fileExists(atPath: $0) }
        let lock = try lock()
        defer { lock.unlock() }
        do throws(StoreOpeningError) {
            try fill()
        } catch {
            // A folder is removed only if it is empty.
            for path in newPaths { remove(path) }
            throw error
        }
    }

    /// Locks the database itself too, in case the lock file is removed.
    ///
    /// The database is created if it does not exist, readable only for its owner.
    func lockDatabase(besides file: OpenFile) throws(StoreOpeningError) -> FolderLock {
        FolderLock(folder: self, file: file, database: try openAndLock(databasePath))
    }

    private func openAndLock(_ path: String) throws(StoreOpeningError) -> OpenFile {
        do {
            let file = try OpenFile(path: path, O_RDWR | O_CREAT)
            if try file.lock() { return file }
        } catch {
            throw Self.openingError(error, at: path)
        }
        throw .inUse(path: self.path)
    }

    /// Opens the file `commits`, and reads the record in it.
    func openCommitFile() throws(StoreOpeningError) -> (file: OpenFile, record: CommitRecord?) {
        do {
            let file = try OpenFile(path: commitPath, O_RDWR | O_CREAT)
            return (file, try CommitRecord.read(file))
        } catch {
            throw Self.openingError(error, at: commitPath)
        }
    }

    /// Reads the header of the database; `nil` if the file does not exist or nothing is written in it.
    ///
    /// After a power failure, a new file may have a size without contents. But SQLite removes the write-ahead log of a
    /// file without contents, so such a file is damaged if there is a log.
    func readHeader() throws(StoreOpeningError) -> FileHeader? {
        let bytes = try readStart()
        guard !bytes.allSatisfy({ $0 == 0 }) else {
            guard !hasLogContents else {
                throw .damaged(path: databasePath, finding: "it has no contents, but its write-ahead log has")
            }
            guard bytes.count <= Self.maximumSizeWithoutContents else { throw .damagedHeader(path: databasePath) }
            return nil
        }
        let start = Array(bytes.prefix(FileHeader.length))
        guard start.contains(where: { $0 != 0 }) else { throw .damagedHeader(path: databasePath) }
        guard let header = FileHeader(bytes: start) else { throw .foreign(path: databasePath) }
        return header
    }

    /// Reads the start of the database, which is longer than any that may consist of zeros; nothing if there is no file.
    private func readStart() throws(StoreOpeningError) -> [UInt8] {
        do throws(SystemError) {
            return try OpenFile(path: databasePath).read(upTo: Self.maximumSizeWithoutContents + 1)
        } catch {
            guard error.code != ENOENT else { return [] }
            throw Self.openingError(error, at: databasePath)
        }
    }

    private func createIfNeeded() throws(StoreOpeningError) {
        guard !FileManager.default.fileExists(atPath: path + "/") else { return }
        do {
            try AtomicFile.createFolder(path)
        } catch {
            throw .folderCannotBeMade(path: path, reason: SystemError.reason(of: error))
        }
        // If the machine crashes before the parent folder is synced, the folder and everything in it may be lost.
        try? AtomicFile.syncDirectoryEntry(of: path)
    }

    static func openingError(_ error: SystemError, at path: String) -> StoreOpeningError {
        switch error.code {
        case EACCES, EPERM, EROFS, EISDIR: .notWritable(path: path)
        case ENOSPC, EDQUOT: .full(path: path)
        default: .failed(path: path, reason: "\(error)")
        }
    }
}

/// The lock of a store's folder.
///
/// The files stay open until SQLite has closed the database: closing any descriptor of a file releases all locks of the
/// process on it that SQLite has taken (fcntl(2)).
struct FolderLock: Sendable {
    /// The folder.
    let folder: StoreFolder

    fileprivate let file: OpenFile
    fileprivate let database: OpenFile

    /// The bytes of a database of which SQLite locks some as long as it is open with a write-ahead log (`SHARED_FIRST`
    /// and `SHARED_SIZE` in SQLite's `os.h`).
    private static let bytesLockedWhileOpen = 0x4000_0002..<0x4000_0200

    /// Whether the database is still in place.
    var isInPlace: Bool {
        database.isAt(folder.databasePath)
    }

    /// Removes the zeros in a database without contents (`readHeader`), which SQLite would refuse.
    func clearDatabase() throws(SystemError) {
        try database.truncate(to: 0)
    }

    /// Reserves disk space for a part of one of the store's files.
    func reserve(_ range: Range<Int>, of file: StoreSpace.ReservedFile) -> StoreSpace.ReservationResult {
        do throws(SystemError) {
            switch file {
            case .database: try database.reserveSpace(range)
            // SQLite holds no locks on this file, so it may be closed.
            case .log: try OpenFile(path: folder.logPath, O_RDWR).reserveSpace(range)
            }
            return .reserved
        } catch {
            return error.isFull ? .full : .unsupported
        }
    }

    /// Writes the contents of the write-ahead log again, and waits until they are on the disk.
    ///
    /// After a failed sync, the system may have the contents in memory only, report success for the next sync, and read
    /// the older bytes of the disk later. So nothing may use the log before this: neither this process, nor another
    /// program, whose index of the log SQLite would share.
    ///
    /// - Throws: `StoreOpeningError.locked` if another program uses the database, or `SystemError`.
    func rewriteLog() throws {
        guard folder.hasLogContents else { return }
        guard try database.lockBytes(Self.bytesLockedWhileOpen) else {
            throw StoreOpeningError.locked(path: folder.databasePath)
        }
        defer { database.unlockBytes(Self.bytesLockedWhileOpen) }
        let (source, target) = (try OpenFile(path: folder.logPath), try OpenFile(path: folder.logPath, O_RDWR))
        while true {
            let bytes = try source.read(upTo: 1 << 20)
            guard !bytes.isEmpty else { break }
            try target.write(bytes)
        }
        try target.sync()
    }

    /// The size of the file of the write-ahead log in bytes, of which the log may use only a part.
    var logFileSize: Int {
        (try? OpenFile(path: folder.logPath).size()) ?? 0
    }

    /// Releases the lock.
    func unlock() {
        database.unlock()
        file.unlock()
    }
}

extension StoreOpeningError {
    fileprivate static func damagedHeader(path: String) -> Self {
        .damaged(path: path, finding: "its first \(FileHeader.length) bytes are 0")
    }
}

/// The header of a database file (https://www.sqlite.org/fileformat2.html, 1.3).
///
/// It reveals a file that is foreign or newer before SQLite touches it. A store writes the header of a new file before
/// anything else, and again after each migration.
struct FileHeader: Equatable {
    /// The length of the header in bytes.
    static let length = 100

    private static let signature = Array("SQLite format 3\u{0}".utf8)

    /// The version of the schema (`PRAGMA user_version`).
    let version: Int

    /// The ID of the application that owns the file (`PRAGMA application_id`).
    let applicationID: Int32

    /// The number of bytes of all pages.
    let databaseSize: Int

    /// Reads the header; returns `nil` if `bytes` are not from a database.
    init?(bytes: [UInt8]) {
        guard bytes.count == Self.length, bytes.starts(with: Self.signature) else { return nil }
        let word = { (start: Int) in bytes[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } }
        version = Int(Int32(bitPattern: word(60)))
        applicationID = Int32(bitPattern: word(68))
        let pageSize = Int(bytes[16]) << 8 | Int(bytes[17])
        // The largest size does not fit into its two bytes.
        databaseSize = (pageSize == 1 ? 1 << 16 : pageSize) * Int(word(28))
    }
}
