internal import Dispatch
internal import GatewayStore
internal import Synchronization
internal import WaypostSchema

/// Group commit: callers queue their changes, and one transaction commits all changes in the queue.
///
/// While one transaction is committed, the next changes gather. Changes are made on one connection, one after another.
final class PostgresWriter: Sendable {
    private let queue = DispatchQueue(label: "the writer of the store")
    private let commitQueue: Mutex<CommitQueue<PostgresTransaction>>
    private let state: Mutex<State>
    private let connector: PostgresConnector
    private let handle: CurrentStoreHandle
    private let tuning: PostgresTuning
    private let onCommit: @Sendable (CommitReport) -> Void
    private let onEvents: @Sendable ([StoreEvent]) -> Void
    private let onOwnEvent: @Sendable (StoreEvent) -> Void

    /// A transaction whose commit has an unknown outcome.
    private struct UnresolvedCommit {
        let changes: [CommitQueue<PostgresTransaction>.CompletedChange]
        let events: [StoreEvent]
    }

    private struct State {
        var connection: PostgresConnection?
        var handle: StoreHandle

        /// Whether there are other handles, which get events.
        var hasOthers = true

        /// The transaction that the next one must find out about.
        var unresolvedCommit: UnresolvedCommit?

        /// Whether the row of the handle is deleted.
        var hasLeft = false

        /// The number of transactions that the handle has committed.
        var commitCount = 0
    }

    /// Creates the writer of a handle.
    ///
    /// - Parameters:
    ///   - connector: opens the connection.
    ///   - handle: the handle, which exists and has no commits.
    ///   - tuning: the limits.
    ///   - onCommit: called with each transaction before the callers get their results.
    ///   - onEvents: called with the events for other gateways, after a commit.
    ///   - onOwnEvent: called with `expelled` if another handle took this one for dead, and with `gap` after a change
    ///     whose caller does not know that it took place.
    init(
        _ connector: PostgresConnector,
        handle: CurrentStoreHandle,
        _ tuning: PostgresTuning,
        onCommit: @escaping @Sendable (CommitReport) -> Void,
        onEvents: @escaping @Sendable ([StoreEvent]) -> Void,
        onOwnEvent: @escaping @Sendable (StoreEvent) -> Void
    ) {
        self.connector = connector
        self.handle = handle
        self.tuning = tuning
        self.onCommit = onCommit
        self.onEvents = onEvents
        self.onOwnEvent = onOwnEvent
        commitQueue = Mutex(CommitQueue(maximumItems: tuning.maximumItemsInQueue))
        state = Mutex(State(handle: handle.value))
    }

    /// The number of items that wait to be written.
    var waitingItems: Int {
        commitQueue.withLock(\.itemCount)
    }

    /// Makes a change, and returns once it is durable.
    ///
    /// - Parameters:
    ///   - weight: the number of items in the change.
    ///   - subjects: the agents and devices that the change locks.
    ///   - work: makes the change; called again if the transaction has to be made again.
    ///   - then: called with the result of `work` once the change is durable, before the same call of any later change.
    /// - Returns: the result of `work`.
    /// - Throws: `StoreError`; nothing has changed then, unless the error is `outcomeUnknown`.
    func write<Value: Sendable>(
        weight: Int = 1,
        on subjects: ChangeSubjects = ChangeSubjects(),
        _ work: @escaping @Sendable (inout PostgresTransaction) throws -> Value,
        then: @escaping @Sendable (Value) -> Void = { _ in }
    ) async throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
            let pendingChange = CommitQueue<PostgresTransaction>.PendingChange(
                weight: weight,
                subjects: subjects,
                work: work,
                then: then
            ) {
                continuation.resume(returning: $0)
            }
            switch commitQueue.withLock({ $0.add(pendingChange) }) {
            case .queued: break
            case .needsWakeUp: queue.async { [self] in commitAll() }
            case .refused(let error): pendingChange.fail(error)
            }
        }
        return try result.get()
    }

    /// Commits the waiting changes, and refuses further ones.
    func close() {
        commitQueue.withLock { $0.close() }
        queue.sync {
            commitAll()
            state.withLock { state in
                guard !state.hasLeft else { return }
                state.hasLeft = true
                // If this fails, the others notice later that the gateway has ended.
                if let connection = try? connect(&state) { try? state.handle.leave(on: connection) }
                state.connection = nil
            }
        }
    }

    private func commitAll() {
        while true {
            let pendingChanges = commitQueue.withLock { $0.removeNext(maximumItems: tuning.maximumItemsInCommit) }
            guard !pendingChanges.isEmpty else { return }
            CommitQueue.commit(pendingChanges[...], onCommit: onCommit) { pendingChanges throws(StoreError) in
                // Each transaction updates the row of the handle.
                (try transact(pendingChanges), true)
            }
        }
    }

    /// Makes changes in one transaction, again if another transaction was in the way.
    private func transact(
        _ pendingChanges: ArraySlice<CommitQueue<PostgresTransaction>.PendingChange>
    ) throws(StoreError) -> [CommitQueue<PostgresTransaction>.CompletedChange] {
        var retryCount = 0
        var isReconnected = false
        while true {
            do {
                let (changes, events) = try state.withLock { state in try runTransaction(pendingChanges, &state) }
                if !events.isEmpty { onEvents(events) }
                return changes
            } catch let error as PostgresError where error.isTransient && retryCount < tuning.maximumRetries {
                retryCount += 1
            } catch let error as PostgresError where error.endsConnection && !isReconnected {
                // The connection was lost before the commit, so nothing has changed.
                connector.reportFailure(error)
                isReconnected = true
            } catch {
                throw StoreError(error)
            }
        }
    }

    private func runTransaction(
        _ pendingChanges: ArraySlice<CommitQueue<PostgresTransaction>.PendingChange>,
        _ state: inout State
    ) throws -> (changes: [CommitQueue<PostgresTransaction>.CompletedChange], events: [StoreEvent]) {
        let connection = try connect(&state)
        var transaction = PostgresTransaction(connection, handle: state.handle, logRetention: tuning.logRetention)
        let changes: [CommitQueue<PostgresTransaction>.CompletedChange]
        do {
            try connection.send("BEGIN")
            try resolveCommit(connection, &state)
            if state.hasOthers { try Self.lock(pendingChanges.map(\.subjects), connection) }
            changes = try pendingChanges.map { try $0.run(&transaction) }
            try transaction.writeTallies()
            let row = try connection.run(
                """
                UPDATE lane SET commits = $2 WHERE number = $1
                RETURNING EXISTS (SELECT 1 FROM lane AS other WHERE other.number <> $1)
                """,
                [.integer(state.handle.number), .integer(state.commitCount + 1)]
            ).rows.first
            guard let row else { throw ExpelledError() }
            state.hasOthers = row.boolean(0)
        } catch {
            rollBack(connection, after: error, &state)
            if error is ExpelledError { try joinAsNewGateway(&state) }
            throw error
        }
        do {
            _ = try connection.run("COMMIT")
        } catch {
            state.connection = nil
            guard error.endsConnection else { throw error }
            connector.reportFailure(error)
            do {
                try findOutcome(&state)
            } catch StoreError.outcomeUnknown {
                state.unresolvedCommit = UnresolvedCommit(
                    changes: changes,
                    events: state.hasOthers ? transaction.events : []
                )
                throw StoreError.outcomeUnknown
            }
        }
        state.commitCount += 1
        return (changes, state.hasOthers ? transaction.events : [])
    }

    /// Locks the agents that all changes of a transaction concern, in the order of their numbers.
    ///
    /// Each change locks its own agents in this order, but several changes together would not, and two gateways could
    /// wait for each other. The server notices that only after a second.
    private static func lock(_ subjects: [ChangeSubjects], _ connection: PostgresConnection) throws(PostgresError) {
        let agents = subjects.reduce(into: Set<Int>()) { $0.formUnion($1.agents) }
        let tokens = subjects.reduce(into: Set<DeviceToken>()) { $0.formUnion($1.tokens) }
        let digests = subjects.reduce(into: Set<SecretDigest>()) { $0.formUnion($1.digests) }
        guard !agents.isEmpty || !tokens.isEmpty || !digests.isEmpty else { return }
        try connection.send(
            """
            SELECT 1 FROM agent WHERE number IN (
                SELECT unnest($1::bigint[]) UNION SELECT agent FROM device WHERE token = ANY ($2)
                UNION SELECT owner.number FROM agent AS owner WHERE owner.digest = ANY ($3)
            ) ORDER BY number FOR NO KEY UPDATE
            """,
            [.integers(agents.sorted()), .texts(tokens.map(\.databaseText)), .byteStrings(digests.map(\.bytes))]
        )
    }

    /// Returns the connection, which is opened if there is none.
    private func connect(_ state: inout State) throws(PostgresError) -> PostgresConnection {
        if let connection = state.connection { return connection }
        let connection = try connector.connect()
        // A gateway that is stopped in the middle of a transaction must not hold its locks for long.
        let limit = tuning.idleTransactionTimeout / .milliseconds(1)
        try connection.send("SET idle_in_transaction_session_timeout = \(Int(limit))")
        try connection.send("SET application_name = '\(StoreHandle.applicationPrefix)\(state.handle.number)'")
        try reportLostCommits(connection, state)
        state.connection = connection
        return connection
    }

    /// Reports confirmed transactions that the database has lost, if any: another server has taken over that did not
    /// have them yet.
    private func reportLostCommits(_ connection: PostgresConnection, _ state: State) throws(PostgresError) {
        let row = try connection.run(
            "SELECT commits FROM lane WHERE number = $1",
            [.integer(state.handle.number)]
        ).rows.first
        guard let commitCount = row?.integer(0), commitCount < state.commitCount else { return }
        connector.report("the database has lost \(state.commitCount - commitCount) transactions that it had confirmed")
    }

    /// The row of the handle is gone: another handle took this one for dead.
    private struct ExpelledError: Error {}

    /// Makes the handle part of a new gateway, if it still belongs to `gateway`, which was taken for dead.
    ///
    /// - Throws: `StoreError.unavailable` after that; another error if the store fails.
    func joinAgain(replacing gateway: Int) async throws(StoreError) {
        try await write(weight: 0) { transaction in
            if transaction.handle.gateway == gateway { throw ExpelledError() }
        }
    }

    private func joinAsNewGateway(_ state: inout State) throws {
        let connection = try connect(&state)
        try state.handle.join(on: connection, commitCount: state.commitCount)
        handle.set(state.handle)
        state.unresolvedCommit = nil
        onOwnEvent(.expelled)
        throw StoreError.unavailable
    }

    private func rollBack(_ connection: PostgresConnection, after error: any Error, _ state: inout State) {
        let ends = (error as? PostgresError)?.endsConnection ?? false
        if ends || (try? connection.run("ROLLBACK")) == nil { state.connection = nil }
    }

    /// Finds out about an earlier transaction, whose callers were told that its outcome is unknown.
    ///
    /// If it took place, its results are passed on now, before any later ones: nobody else has its transient
    /// notifications. If another handle took this one for dead, these are dropped, as all others of its sessions.
    private func resolveCommit(_ connection: PostgresConnection, _ state: inout State) throws {
        guard let unresolvedCommit = state.unresolvedCommit else { return }
        guard let commitCount = try readCommitCount(connection, state) else { throw ExpelledError() }
        state.unresolvedCommit = nil
        guard commitCount == state.commitCount + 1 else { return }
        state.commitCount += 1
        onEvents(unresolvedCommit.events)
        for change in unresolvedCommit.changes { change.publish() }
        onOwnEvent(.gap)
    }

    /// Reads the number of transactions that the handle has committed; `nil` if its row was deleted.
    ///
    /// The lock on the row waits until the server has ended a transaction whose connection was lost.
    private func readCommitCount(_ connection: PostgresConnection, _ state: State) throws(PostgresError) -> Int? {
        try connection.run(
            "SELECT commits FROM lane WHERE number = $1 FOR UPDATE",
            [.integer(state.handle.number)]
        ).rows.first?.integer(0)
    }

    /// Finds out whether a transaction was committed, after its connection was lost during the commit.
    ///
    /// - Throws: a transient error if it was not committed; `StoreError.outcomeUnknown` if the server does not say.
    private func findOutcome(_ state: inout State) throws {
        let commitCount: Int?
        do throws(PostgresError) {
            commitCount = try readCommitCount(try connect(&state), state)
        } catch {
            // A connection that was lost again cannot be used for the next question.
            if error.endsConnection { state.connection = nil }
            throw StoreError.outcomeUnknown
        }
        guard let commitCount else { throw StoreError.outcomeUnknown }
        guard commitCount == state.commitCount + 1 else { throw PostgresError.conflict("the commit was lost") }
    }
}
