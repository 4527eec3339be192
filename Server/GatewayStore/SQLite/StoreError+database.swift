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
