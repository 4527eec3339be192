internal import GRDB
internal import Synchronization

/// Group commit: callers queue their changes, and one transaction commits all changes in the queue.
///
/// While one transaction is synced to disk, the next changes gather. So many changes share one sync, and none waits for
/// a timer.
final class GroupCommit: Sendable {
    private let database: any DatabaseWriter
    private let maximumItemsInCommit: Int
    private let queue: Mutex<CommitQueue<StoreTransaction>>
    private let writer: Mutex<StoreWriter>
    private let onCommit: @Sendable (CommitReport) -> Void

    /// Creates the group commit of `writer`, which uses the writing connection of `database`.
    ///
    /// It reports each transaction to `onCommit` before the callers get their results.
    init(
        _ database: any DatabaseWriter,
        _ writer: StoreWriter,
        tuning: SQLiteTuning,
        onCommit: @escaping @Sendable (CommitReport) -> Void
    ) {
        self.database = database
        self.onCommit = onCommit
        maximumItemsInCommit = tuning.maximumItemsInCommit
        queue = Mutex(CommitQueue(maximumItems: tuning.maximumItemsInQueue))
        self.writer = Mutex(writer)
    }

    /// The number of items that wait to be written.
    var waitingItems: Int {
        queue.withLock(\.itemCount)
    }

    /// Runs a change in the next transaction, and returns once it is on disk.
    ///
    /// - Parameters:
    ///   - weight: the number of items in the change.
    ///   - work: makes the change; called again if another change in the same transaction failed.
    ///   - then: called with the result of `work` once the change is on disk, before the same call of any later change.
    /// - Returns: the result of `work`.
    /// - Throws: `StoreError`; nothing has changed then, unless the error is `outcomeUnknown`.
    func write<Value: Sendable>(
        weight: Int = 1,
        _ work: @escaping @Sendable (inout StoreTransaction) throws -> Value,
        then: @escaping @Sendable (Value) -> Void = { _ in }
    ) async throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
            add(
                CommitQueue.PendingChange(weight: weight, work: work, then: then) { continuation.resume(returning: $0) }
            )
        }
        return try result.get()
    }

    /// Commits the waiting changes, checkpoints the write-ahead log, and refuses further changes.
    func close() {
        queue.withLock { $0.close() }
        database.writeWithoutTransaction { database in
            while commitNext(database) {}
            writer.withLock { $0.truncateLog(database) }
        }
    }

    private func add(_ pendingChange: CommitQueue<StoreTransaction>.PendingChange) {
        switch queue.withLock({ $0.add(pendingChange) }) {
        case .queued: break
        case .needsWakeUp: scheduleCommit()
        case .refused(let error): pendingChange.fail(error)
        }
    }

    /// Each commit takes a separate turn on the connection, because a store in memory shares it with reads.
    private func scheduleCommit() {
        database.asyncWriteWithoutTransaction { database in
            if self.commitNext(database) { self.scheduleCommit() }
        }
    }

    /// Commits the first waiting changes; returns `false` if there were none.
    private func commitNext(_ database: Database) -> Bool {
        let pendingChanges = queue.withLock { $0.removeNext(maximumItems: maximumItemsInCommit) }
        guard !pendingChanges.isEmpty else { return false }
        // If the group is refused, its parts are tried alone; a second checkpoint would change nothing for them.
        var mayMakeRoom = true
        CommitQueue.commit(pendingChanges[...], onCommit: report) { pendingChanges throws(StoreError) in
            try transact(pendingChanges, database, ifFull: &mayMakeRoom)
        }
        writer.withLock { $0.checkpointIfDue(database) }
        return true
    }

    private func report(_ commit: CommitReport) {
        var commit = commit
        commit.hasRoom = writer.withLock(\.hasRoom)
        onCommit(commit)
    }

    /// Makes changes in one transaction; if the disk is full, it makes room once, and tries again.
    private func transact(
        _ pendingChanges: ArraySlice<CommitQueue<StoreTransaction>.PendingChange>,
        _ database: Database,
        ifFull mayMakeRoom: inout Bool
    ) throws(StoreError) -> (changes: [CommitQueue<StoreTransaction>.CompletedChange], hasWrites: Bool) {
        do throws(StoreError) {
            return try transact(pendingChanges, database)
        } catch {
            guard error == .full, mayMakeRoom else { throw error }
            mayMakeRoom = false
            guard writer.withLock({ $0.makeRoom(database) }) else { throw error }
        }
        return try transact(pendingChanges, database)
    }

    /// Makes changes in one transaction; returns them, and whether it wrote anything.
    private func transact(
        _ pendingChanges: ArraySlice<CommitQueue<StoreTransaction>.PendingChange>,
        _ database: Database
    ) throws(StoreError) -> (changes: [CommitQueue<StoreTransaction>.CompletedChange], hasWrites: Bool) {
        do {
            return try writer.withLock { writer in
                let commitCount = writer.counters.commitCount
                let changes = try writer.transact(database) { transaction in
                    try pendingChanges.map { try $0.run(&transaction) }
                }
                return (changes, writer.counters.commitCount != commitCount)
            }
        } catch {
            throw StoreError(error)
        }
    }
}
