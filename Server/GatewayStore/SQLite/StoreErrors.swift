internal import Foundation
internal import GRDB
internal import LocalFiles

extension StoreError {
    /// Maps a database error to an error of the store.
    init(_ error: any Error) {
        if let storeError = error as? StoreError {
            self = storeError
        } else if let error = error as? DatabaseError {
            self = Self.kind(of: error)
        } else if let error = error as? SystemError {
            self = Self.kind(of: error)
        } else {
            self = .failed("\(error)")
        }
    }

    private static func kind(of error: DatabaseError) -> Self {
        // SQLite extends the shared-memory file by writing to it, so a full disk shows there first.
        guard error.extendedResultCode != .SQLITE_IOERR_SHMSIZE else { return .full }
        return switch error.resultCode {
        case .SQLITE_FULL: .full
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN: .readOnly
        case .SQLITE_BUSY, .SQLITE_LOCKED: .busy
        default: .failed(error.description)
        }
    }
}

extension StoreError {
    private static func kind(of error: SystemError) -> Self {
        switch error.code {
        case ENOSPC, EDQUOT: .full
        case EACCES, EPERM, EROFS: .readOnly
        default: .failed("\(error)")
        }
    }
}

extension DatabaseError {
    /// Whether the contents of the disk are unknown after this error.
    ///
    /// After a failed sync, the system may discard data that it could not write, and report success for the next sync.
    var makesDiskStateUnknown: Bool {
        switch resultCode {
        case .SQLITE_IOERR: extendedResultCode != .SQLITE_IOERR_SHMSIZE
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: true
        default: false
        }
    }
}

/// The reason why the store in a folder could not be opened; its contents have not changed then.
package enum StoreOpeningError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The folder does not exist and cannot be created, for the system's reason.
    case folderCannotBeMade(path: String, reason: String)

    /// The folder's contents cannot be written.
    case notWritable(path: String)

    /// Another gateway uses the folder.
    case inUse(path: String)

    /// Another program has locked the file.
    case locked(path: String)

    /// There is no such file.
    case notFound(path: String)

    /// The file cannot be read, for the system's reason.
    case notReadable(path: String, reason: String)

    /// The file is not a backup of a store.
    case notABackup(path: String)

    /// The folder contains a store already.
    case occupied(path: String)

    /// The file is not one of a gateway.
    case foreign(path: String)

    /// A newer gateway wrote the file, in a version above the supported one.
    case unsupportedVersion(path: String, version: Int, supported: Int)

    /// The file is damaged, with the first finding of the check.
    case damaged(path: String, finding: String)

    /// The disk is full.
    case full(path: String)

    /// Another error occurred.
    case failed(path: String, reason: String)

    /// A description of what is wrong and what to do.
    package var description: String {
        switch self {
        case .folderCannotBeMade(let path, let reason):
            "the folder \(path) cannot be created (\(reason)); create it, or choose another folder"
        case .notWritable(let path):
            "\(path) cannot be written; change its permissions, or choose another folder"
        case .inUse(let path):
            "another gateway uses \(path); stop it, or choose another folder"
        case .locked(let path):
            "another program has locked \(path); wait until it is finished, and start again"
        case .notFound(let path): "there is no file \(path)"
        case .notReadable(let path, let reason): "\(path) cannot be read: \(reason)"
        case .notABackup(let path): "\(path) is not a backup of a gateway; use a file from 'waypost backup'"
        case .occupied(let path): "\(path) contains a store already; choose another folder, or move it away"
        case .foreign(let path):
            "\(path) is not a gateway's file, and was left unchanged; move it away, or choose another folder"
        case .unsupportedVersion(let path, let version, let supported):
            """
            \(path) was written by a newer gateway (its version is \(version), this gateway supports \
            \(supported)), and was left unchanged; use the newer gateway, or choose another folder
            """
        case .damaged(let path, let finding):
            "\(path) is damaged (\(finding)); restore an undamaged backup, or choose another folder"
        case .full(let path):
            "there is no room left on the disk of \(path); free some space, and start again"
        case .failed(let path, let reason):
            "\(path) cannot be opened: \(reason)"
        }
    }
}
