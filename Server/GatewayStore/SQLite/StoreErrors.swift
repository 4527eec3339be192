internal import GRDB

extension StoreError {
    /// Tells an error of the database as the fault that the store's users know.
    init(_ error: any Error) {
        if let known = error as? StoreError {
            self = known
        } else if let error = error as? DatabaseError {
            self = Self.kind(of: error)
        } else {
            self = .failed("\(error)")
        }
    }

    /// Whether the fault is nobody's own, so that everybody who waits meets it.
    var concernsEverybody: Bool {
        switch self {
        case .busy, .readOnly: true
        case .full, .overloaded, .failed: false
        }
    }

    private static func kind(of error: DatabaseError) -> Self {
        // The file of shared memory is made longer by writing to it, which is where a full disk shows first.
        guard error.extendedResultCode != .SQLITE_IOERR_SHMSIZE else { return .full }
        return switch error.resultCode {
        case .SQLITE_FULL: .full
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN: .readOnly
        case .SQLITE_BUSY, .SQLITE_LOCKED: .busy
        default: .failed(error.description)
        }
    }
}

extension DatabaseError {
    /// Whether nobody knows any more what is on the disk: after a sync that failed, the system may have forgotten what it
    /// could not write, and say of the next one that all is well.
    var leavesTheDiskUnknown: Bool {
        switch resultCode {
        case .SQLITE_IOERR: extendedResultCode != .SQLITE_IOERR_SHMSIZE
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: true
        default: false
        }
    }
}

/// Why the store in a folder could not be opened; nothing of what it holds has changed then.
package enum StoreOpeningError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The folder is not there and cannot be made; with the system's reason.
    case folderCannotBeMade(path: String, reason: String)

    /// What is in the folder cannot be written.
    case notWritable(path: String)

    /// Another gateway has the folder.
    case inUse(path: String)

    /// Another program holds the file.
    case locked(path: String)

    /// The file is none of a gateway's.
    case foreign(path: String)

    /// A newer gateway wrote the file, in a version above the one that is understood.
    case newer(path: String, version: Int, understood: Int)

    /// The file is damaged; with what the check found first.
    case damaged(path: String, finding: String)

    /// There is no room left on the disk.
    case full(path: String)

    /// Something else went wrong.
    case failed(path: String, reason: String)

    /// What is wrong, and what to do.
    package var description: String {
        switch self {
        case .folderCannotBeMade(let path, let reason):
            "the folder \(path) cannot be made (\(reason)); name one that can, or make it"
        case .notWritable(let path):
            "\(path) cannot be written; allow it, or name another folder"
        case .inUse(let path):
            "another gateway keeps its notifications in \(path); end it, or name another folder"
        case .locked(let path):
            "another program holds \(path); let it finish, and start again"
        case .foreign(let path):
            "\(path) is not a gateway's file, and was left as it is; move it away, or name another folder"
        case .newer(let path, let version, let understood):
            """
            \(path) was written by a newer gateway (its version is \(version), this gateway understands \
            \(understood)), and was left as it is; use the newer gateway, or name another folder
            """
        case .damaged(let path, let finding):
            "\(path) is damaged (\(finding)); bring back a copy, or name another folder"
        case .full(let path):
            "there is no room left on the disk of \(path); make some, and start again"
        case .failed(let path, let reason):
            "\(path) cannot be opened: \(reason)"
        }
    }
}
