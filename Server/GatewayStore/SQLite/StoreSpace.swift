internal import GRDB

/// The disk space of a store, as a value: what is reserved in its files, and which commits fit.
///
/// A commit takes place only if the file of the database has the space for it already. So a checkpoint needs no space,
/// and the next write-ahead log can overwrite the present one, however full the disk is. Changes that add something
/// leave a reserve, which acknowledgements and deletions may use.
struct StoreSpace: Sendable, Equatable {
    /// A file in which space is reserved.
    enum ReservedFile: Sendable {
        case database
        case log
    }

    /// The result of an attempt to reserve space.
    enum ReservationResult: Sendable {
        case reserved
        case full

        /// The file system cannot reserve space, so nothing is refused.
        case unsupported
    }

    /// The pages of a database, as a transaction leaves them.
    struct PageUse: Sendable, Equatable {
        /// The number of pages.
        var count: Int

        /// The number of pages among them that contain nothing.
        var freeCount: Int

        /// The size of a page in bytes.
        var size: Int
    }

    /// The space in bytes that changes which add something leave to other changes, beyond the pages in use.
    private let databaseReserve: Int

    /// The space in bytes that the write-ahead log always has.
    private let logReserve: Int

    private var reservedDatabaseLength = 0
    private var reservedLogLength = 0

    /// Whether the last checkpoint failed because the disk was full.
    private(set) var hasFailedCheckpoint = false

    /// Whether there was room for changes that add something at the last commit; `false` before the first.
    private(set) var hasRoom = false

    /// Creates the value for files without reserved space.
    init(databaseReserve: Int, logReserve: Int) {
        self.databaseReserve = max(1, databaseReserve)
        self.logReserve = max(1, logReserve)
    }

    /// Returns whether a transaction may be committed, after reserving space for it.
    ///
    /// - Parameters:
    ///   - pages: the pages of the database after the transaction.
    ///   - addsSomething: whether the transaction stores something new, such as notifications or devices.
    ///   - reserve: reserves the part of a file.
    /// - Returns: whether it may be committed.
    mutating func admits(
        _ pages: PageUse,
        addsSomething: Bool,
        reserving reserve: (ReservedFile, Range<Int>) -> ReservationResult
    ) -> Bool {
        let requiredLength = pages.count * pages.size
        let usedLength = (pages.count - pages.freeCount) * pages.size
        // A disk that was full needs more, so that it does not become full again at once.
        let headroom = hasRoom ? databaseReserve : 2 * databaseReserve
        let desiredLength = max(requiredLength, usedLength + headroom)
        // Few large reservations take less time than many small ones.
        let roundedLength = (desiredLength + databaseReserve - 1) / databaseReserve * databaseReserve
        let isLogReserved = extend(\.reservedLogLength, of: .log, to: logReserve, reserve)
        let isReserveIntact =
            desiredLength <= reservedDatabaseLength
            || extend(\.reservedDatabaseLength, of: .database, to: roundedLength, reserve)
        hasRoom = isLogReserved && isReserveIntact && !hasFailedCheckpoint
        if hasRoom { return true }
        guard !addsSomething else { return false }
        // This keeps what is left of the reserve from other programs, if it can.
        _ = extend(\.reservedDatabaseLength, of: .database, to: usedLength + databaseReserve, reserve)
        return extend(\.reservedDatabaseLength, of: .database, to: requiredLength, reserve)
    }

    /// Reserves the space of the pages that a database has when it is opened, in small parts.
    ///
    /// Some file systems (XFS, ZFS) refuse a reservation that is longer than what is free, although the file has the
    /// space already.
    mutating func reserveExistingPages(
        _ pages: PageUse,
        reserving reserve: (ReservedFile, Range<Int>) -> ReservationResult
    ) {
        let length = pages.count * pages.size
        while reservedDatabaseLength < length {
            let end = min(length, reservedDatabaseLength + databaseReserve)
            guard extend(\.reservedDatabaseLength, of: .database, to: end, reserve) else { return }
        }
    }

    private mutating func extend(
        _ reservedLength: WritableKeyPath<Self, Int>,
        of file: ReservedFile,
        to length: Int,
        _ reserve: (ReservedFile, Range<Int>) -> ReservationResult
    ) -> Bool {
        guard length > self[keyPath: reservedLength] else { return true }
        switch reserve(file, self[keyPath: reservedLength]..<length) {
        case .reserved: self[keyPath: reservedLength] = length
        case .unsupported: self[keyPath: reservedLength] = .max
        case .full: return false
        }
        return true
    }

    /// Records that a checkpoint has cut the database to `databaseLength` bytes, which releases the space after them.
    mutating func recordCheckpoint(databaseLength: Int) {
        hasFailedCheckpoint = false
        reservedDatabaseLength = min(reservedDatabaseLength, databaseLength)
    }

    /// Records that a checkpoint failed because the disk is full.
    mutating func recordFailedCheckpoint() {
        hasFailedCheckpoint = true
    }

    /// Records that the write-ahead log was truncated, which releases its space.
    mutating func recordLogTruncation() {
        reservedLogLength = 0
    }
}

extension StoreSpace.PageUse {
    /// Reads the numbers of a database, as the running transaction has changed them.
    init(_ database: Database, pageSize: Int) throws {
        count = try Int.fetchOne(database.cachedStatement(sql: "PRAGMA page_count")) ?? 0
        freeCount = try Int.fetchOne(database.cachedStatement(sql: "PRAGMA freelist_count")) ?? 0
        size = pageSize
    }
}

extension StoreCounters {
    /// Whether numbers were assigned since `earlier`, so that something was added to the store.
    func hasNewNumbers(since earlier: Self) -> Bool {
        lastSequence > earlier.lastSequence || lastAgentNumber > earlier.lastAgentNumber
            || lastBatchNumber > earlier.lastBatchNumber
    }
}
