internal import GRDB
internal import LocalFiles
internal import Synchronization
package import WaypostSchema

/// The store on SQLite, in a folder or in memory.
///
/// In a folder, an answered change survives a crash of the gateway and of its machine, and reads run beside changes, each
/// on a snapshot. In memory, nothing survives the process, and reads take turns with changes. Changes go through
/// `GroupCommit`, one after another. Dropping the last reference closes the store.
package final class SQLiteStore: GatewayStore {
    let commits: GroupCommit

    /// The seconds for which the log keeps what has ended; 0 keeps no log.
    let logRetention: Int

    private let writer: any DatabaseWriter

    /// The lock of the folder; `nil` in memory.
    private let lock: OpenFile?
    private let isClosed = Mutex(false)

    /// Creates the store of an open database.
    init(writer: any DatabaseWriter, commits: GroupCommit, lock: OpenFile?, logRetention: Int) {
        self.writer = writer
        self.commits = commits
        self.logRetention = logRetention
        self.lock = lock
    }

    deinit {
        try? close()
    }

    /// What an accepted notification survives: a crash of the machine, or nothing.
    package var durability: Durability {
        lock == nil ? .memory : .fsync
    }

    /// Makes the changes that wait, closes the files, and lets go of the folder.
    ///
    /// - Throws: what went wrong; everything that was answered is on the disk all the same.
    package func close() throws {
        let wasClosed = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return isClosed
        }
        guard !wasClosed else { return }
        commits.close()
        defer { lock?.unlock() }
        try writer.close()
    }

    /// Whether a log is kept.
    var keepsLog: Bool {
        logRetention > 0
    }

    /// Makes a change that carries `weight` items, and returns once it is on the disk; `then` is called before.
    func perform<Value: Sendable>(
        weight: Int = 1,
        _ work: @escaping @Sendable (inout StoreTransaction) throws -> Value,
        then: @escaping @Sendable (Value) -> Void = { _ in }
    ) async throws(StoreError) -> Value {
        let logRetention = logRetention
        return try await commits.perform(weight: weight) { transaction in
            transaction.logRetention = logRetention
            return try work(&transaction)
        } then: { value in
            then(value)
        }
    }

    /// Runs `query` on a snapshot of what is committed.
    func read<Value: Sendable>(
        _ query: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        let result: Result<Value, any Error> = await withCheckedContinuation { continuation in
            // The database is asked under the lock, so that it is not closed meanwhile; it answers later.
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

    /// Runs `query` on a snapshot of what is committed, with the number of `namespace`; `nil` where there is nothing in it.
    func read<Value: Sendable>(
        in namespace: Namespace,
        _ query: @escaping @Sendable (Database, Int) throws -> Value?
    ) async throws(StoreError) -> Value? {
        try await read { database in
            let statement = try database.cachedStatement(sql: "SELECT number FROM namespace WHERE name = ?")
            let number = try Int.fetchOne(statement, arguments: [namespace.stored])
            return try number.flatMap { try query(database, $0) }
        }
    }
}

extension SQLiteStore {
    /// How many items wait to be written.
    package var waitingItems: Int {
        commits.waitingItems
    }

    /// Makes a commit that changes nothing but the count of commits, and returns once it is on the disk: where that goes,
    /// the store takes changes.
    ///
    /// - Throws: `StoreError`.
    package func probe() async throws(StoreError) {
        try await commits.perform(weight: 0) { transaction in
            try transaction.execute("UPDATE store SET commits = commits", [])
        }
    }
}
