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

    /// Makes the folder where it is not there, readable for its owner alone, and takes its lock: one gateway at a time has
    /// it.
    ///
    /// The system lets go of the lock when the process ends, however it ends, so that nothing stale is ever in the way.
    func lock() throws(StoreOpeningError) -> OpenFile {
        try make()
        do {
            let lock = try OpenFile(path: lockFile)
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
            bytes = try OpenFile(path: database, made: false).read(upTo: FileHeader.length)
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
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw .folderCannotBeMade(path: path, reason: error.localizedDescription)
        }
        // A folder that a crash of the machine forgets would take everything in it along.
        let parent = URL(filePath: path).deletingLastPathComponent().path
        _ = (try? OpenFile(path: parent, made: false))?.sync()
    }

    private static func openingError(_ error: OpenFile.SystemError, at path: String) -> StoreOpeningError {
        switch error.code {
        case EACCES, EPERM, EROFS, EISDIR: .notWritable(path: path)
        case ENOSPC, EDQUOT: .full(path: path)
        default: .failed(path: path, reason: String(cString: strerror(error.code)))
        }
    }
}
