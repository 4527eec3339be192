internal import GRDB
internal import LocalFiles
internal import Synchronization
package import WaypostSchema

/// The SQLite store, in a folder or in memory.
///
/// In a folder, a confirmed change survives a crash of the gateway and of its machine. Reads run in parallel with
/// changes, each on a snapshot. In memory, nothing survives the process, and reads take turns with changes. Changes go
/// through `GroupCommit`, one after another.
///
/// A store that is released without `close()` closes its files and releases the folder, too, once the database has done
/// what it was asked for. It has no `deinit` that waits for that: a block of the database may hold the last reference.
package final class SQLiteStore: GatewayStore {
    let groupCommit: GroupCommit

    /// The seconds for which the log keeps notifications that have ended; 0 keeps no log.
    let logRetention: Int

    /// Called with each notification whose payload is not as it was stored.
    let onDamage: @Sendable (DamagedPayload) -> Void

    /// The batches that were answered before they were stored.
    let pendingBatches = Mutex(PendingBatches())

    /// The faults to inject into providers' requests.
    let faultScript = Mutex(FaultScript())

    let agentCache = Mutex(AgentCache())

    let backupState: BackupState

    private let writer: any DatabaseWriter

    /// The lock of the folder; `nil` in memory.
    ///
    /// It is released after `writer`, which is declared before it.
    let lock: FolderLock?
    let isClosed = Mutex(false)

    /// Creates the store of an open database.
    init(
        writer: any DatabaseWriter,
        groupCommit: GroupCommit,
        lock: FolderLock?,
        backupState: BackupState = BackupState(),
        logRetention: Int,
        onDamage: @escaping @Sendable (DamagedPayload) -> Void = { _ in }
    ) {
        self.onDamage = onDamage
        self.writer = writer
        self.groupCommit = groupCommit
        self.logRetention = logRetention
        self.lock = lock
        self.backupState = backupState
    }

    /// The events that an accepted notification survives: a crash of the machine, or none.
    package var durability: Durability {
        lock == nil ? .memory : .fsync
    }

    /// Commits the waiting changes, closes the files, and releases the folder.
    ///
    /// - Throws: the error of closing the database; all confirmed changes are on disk nevertheless.
    package func close() throws {
        let wasClosed = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return isClosed
        }
        guard !wasClosed else { return }
        groupCommit.close()
        defer { lock?.unlock() }
        try writer.close()
    }

    /// Whether the store's files are still in place; true in memory.
    package var isInPlace: Bool {
        lock?.isInPlace ?? true
    }

    /// Whether the store keeps a log.
    var keepsLog: Bool {
        logRetention > 0
    }

    /// Makes a change with `weight` items; once it is on disk, calls `then` and returns.
    func write<Value: Sendable>(
        weight: Int = 1,
        _ work: @escaping @Sendable (inout StoreTransaction) throws -> Value,
        then: @escaping @Sendable (Value) -> Void = { _ in }
    ) async throws(StoreError) -> Value {
        let logRetention = logRetention
        let change: @Sendable (inout StoreTransaction) throws -> Value = { transaction in
            transaction.logRetention = logRetention
            return try work(&transaction)
        }
        return try await groupCommit.write(weight: weight, change, then: then)
    }

    /// Runs `query` on a snapshot of the committed data.
    func read<Value: Sendable>(
        _ query: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        let result: Result<Value, any Error> = await withCheckedContinuation { continuation in
            // The read is scheduled under the lock, so that the database is not closed in the meantime; it runs later.
            let isOpen = isClosed.withLock { isClosed in
                guard !isClosed else { return false }
                writer.asyncRead { database in
                    continuation.resume(returning: Result { try query(database.get()) })
                }
                return true
            }
            if !isOpen { continuation.resume(returning: .failure(StoreError.failed("the store is closed"))) }
        }
        do {
            return try result.get()
        } catch {
            throw StoreError(error)
        }
    }

    /// Runs `query` on a snapshot of the committed data, with the number of `namespace`; returns `nil` if that is
    /// empty.
    func read<Value: Sendable>(
        in namespace: Namespace,
        _ query: @escaping @Sendable (Database, Int) throws -> Value?
    ) async throws(StoreError) -> Value? {
        try await read { database in
            try StoreTransaction.namespaceID(of: namespace, in: database).flatMap { try query(database, $0) }
        }
    }
}

extension SQLiteStore {
    /// Reads rows whose first column is the name of a namespace, in the order of the statement.
    func readByNamespace<Value: Sendable>(
        _ sql: String,
        _ value: @escaping @Sendable (Row) throws -> Value
    ) async throws(StoreError) -> [Namespace: [Value]] {
        let rows = try await read { try $0.rows(sql, []) { (Namespace(databaseText: $0[0]), try value($0)) } }
        return Dictionary(grouping: rows, by: \.0).mapValues { $0.map(\.1) }
    }

    /// The number of items that wait to be written.
    package var waitingItems: Int {
        groupCommit.waitingItems
    }

    /// Returns the size of the database in bytes, with the pages that are only in the write-ahead log.
    package func size() async throws(StoreError) -> Int? {
        try await read { database in
            try Int.fetchOne(database, sql: "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
        }
    }

    /// Makes a commit that changes only the count of commits, and returns once it is on disk.
    ///
    /// If this succeeds, the store accepts changes.
    ///
    /// - Throws: `StoreError`.
    package func probe() async throws(StoreError) {
        try await groupCommit.write(weight: 0) { transaction in
            try transaction.execute("UPDATE store SET commits = commits", [])
        }
    }
}
