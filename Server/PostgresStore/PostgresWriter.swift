internal import Dispatch
internal import GatewayStore
internal import Synchronization

/// Group commit: callers queue their changes, and one transaction commits all changes in the queue.
///
/// While one transaction is committed, the next changes gather. Changes are made on one connection, one after another.
final class PostgresWriter: Sendable {
    private let queue = DispatchQueue(label: "the writer of the store")
    private let changes: Mutex<CommitQueue<PostgresTransaction>>
    private let state: Mutex<State>
    private let connector: PostgresConnector
    private let lane: Lane
    private let tuning: PostgresTuning
    private let onCommit: @Sendable (CommitReport) -> Void
    private let onEvents: @Sendable ([StoreEvent]) -> Void
    private let onExpulsion: @Sendable () -> Void

    private struct State {
        var connection: PostgresConnection?

        /// The number of transactions that were committed in the lane.
        var commits = 0
    }

    /// Creates the writer of a lane.
    ///
    /// - Parameters:
    ///   - connector: opens the connection.
    ///   - lane: the lane, which exists and has no commits.
    ///   - tuning: the limits.
    ///   - onCommit: called with each transaction before the callers get their results.
    ///   - onEvents: called with the events for other gateways, after a commit.
    ///   - onExpulsion: called if another handle took this one for dead, and has closed its sessions.
    init(
        _ connector: PostgresConnector,
        lane: Lane,
        _ tuning: PostgresTuning,
        onCommit: @escaping @Sendable (CommitReport) -> Void,
        onEvents: @escaping @Sendable ([StoreEvent]) -> Void,
        onExpulsion: @escaping @Sendable () -> Void
    ) {
        self.connector = connector
        self.lane = lane
        self.tuning = tuning
        self.onCommit = onCommit
        self.onEvents = onEvents
        self.onExpulsion = onExpulsion
        changes = Mutex(CommitQueue(itemLimit: tuning.itemsInQueue))
        state = Mutex(State())
    }

    /// The number of items that wait to be written.
    var waitingItems: Int {
        changes.withLock(\.items)
    }

    /// Makes a change, and returns once it is durable.
    ///
    /// - Parameters:
    ///   - weight: the number of items in the change.
    ///   - work: makes the change; called again if the transaction has to be made again.
    ///   - then: called with the result of `work` once the change is durable, before the same call of any later change.
    /// - Returns: the result of `work`.
    /// - Throws: `StoreError`; nothing has changed then, unless the error is `unknown`.
    func perform<Value: Sendable>(
        weight: Int = 1,
        _ work: @escaping @Sendable (inout PostgresTransaction) throws -> Value,
        then: @escaping @Sendable (Value) -> Void = { _ in }
    ) async throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
            let piece = CommitQueue<PostgresTransaction>.Piece(weight: weight, work: work, then: then) {
                continuation.resume(returning: $0)
            }
            switch changes.withLock({ $0.add(piece) }) {
            case .waits: break
            case .wakes: queue.async { [self] in commitAll() }
            case .refused(let error): piece.fail(error)
            }
        }
        return try result.get()
    }

    /// Commits the waiting changes, and refuses further ones.
    func close() {
        changes.withLock { $0.close() }
        queue.sync {
            commitAll()
            state.withLock { $0.connection = nil }
        }
    }

    private func commitAll() {
        while true {
            let pieces = changes.withLock { $0.next(itemLimit: tuning.itemsInCommit) }
            guard !pieces.isEmpty else { return }
            CommitQueue.commit(pieces[...], onCommit: onCommit) { pieces throws(StoreError) in
                // Each transaction writes the row of its lane.
                (try transact(pieces), true)
            }
        }
    }

    /// Makes changes in one transaction, again if another transaction was in the way.
    private func transact(
        _ pieces: ArraySlice<CommitQueue<PostgresTransaction>.Piece>
    ) throws(StoreError) -> [@Sendable () -> Void] {
        var attempts = 0
        var isReconnected = false
        while true {
            do {
                let (answers, events) = try state.withLock { state in try attempt(pieces, &state) }
                onEvents(events)
                return answers
            } catch let error as PostgresError where error.isTransient && attempts < tuning.attempts {
                attempts += 1
            } catch let error as PostgresError where error.endsConnection && !isReconnected {
                // The connection was lost before the commit, so nothing has changed.
                connector.note(error)
                isReconnected = true
            } catch {
                throw StoreError(error)
            }
        }
    }

    private func attempt(
        _ pieces: ArraySlice<CommitQueue<PostgresTransaction>.Piece>,
        _ state: inout State
    ) throws -> (answers: [@Sendable () -> Void], events: [StoreEvent]) {
        let connection = try connect(&state)
        var transaction = PostgresTransaction(connection, lane: lane, logRetention: tuning.logRetention)
        let answers: [@Sendable () -> Void]
        do {
            try connection.send("BEGIN")
            answers = try pieces.map { try $0.run(&transaction) }
            try transaction.writeTallies()
            try connection.send(
                "UPDATE lane SET commits = $2 WHERE number = $1",
                [.integer(lane.number), .integer(state.commits + 1)]
            )
            let isCurrent = try connection.finish().last?.changedCount == 1
            guard isCurrent else { throw Expelled() }
        } catch {
            rollBack(connection, after: error, &state)
            if error is Expelled { try join(&state) }
            throw error
        }
        do {
            _ = try connection.run("COMMIT")
        } catch {
            state.connection = nil
            guard case .disconnected = error else { throw error }
            connector.note(error)
            try findOutcome(&state)
        }
        state.commits += 1
        return (answers, transaction.events)
    }

    /// Returns the connection, which is opened if there is none.
    private func connect(_ state: inout State) throws(PostgresError) -> PostgresConnection {
        if let connection = state.connection { return connection }
        let connection = try connector.connect()
        // A gateway that is stopped in the middle of a transaction must not hold its locks for long.
        let limit = tuning.idleLimit / .milliseconds(1)
        try connection.send("SET idle_in_transaction_session_timeout = \(Int(limit))")
        state.connection = connection
        return connection
    }

    /// The row of the lane is gone: another handle took this one for dead.
    private struct Expelled: Error {}

    /// Adds the row of the lane again, after its sessions were closed.
    private func join(_ state: inout State) throws {
        let connection = try connect(&state)
        _ = try connection.run(
            """
            INSERT INTO lane (number, gateway, commits) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3)
            ON CONFLICT DO NOTHING
            """,
            [.integer(lane.number), .integer(lane.gateway), .integer(state.commits)]
        )
        onExpulsion()
        throw StoreError.unavailable
    }

    private func rollBack(_ connection: PostgresConnection, after error: any Error, _ state: inout State) {
        let ends = (error as? PostgresError)?.endsConnection ?? false
        if ends || (try? connection.run("ROLLBACK")) == nil { state.connection = nil }
    }

    /// Finds out whether the transaction was committed whose connection was lost during the commit.
    ///
    /// The lock on the row of the lane waits until the server has ended that transaction.
    ///
    /// - Throws: a transient error if it was not committed; `StoreError.unknown` if the server does not say.
    private func findOutcome(_ state: inout State) throws {
        let commits: Int?
        do throws(PostgresError) {
            commits = try connect(&state).run(
                "SELECT commits FROM lane WHERE number = $1 FOR UPDATE",
                [.integer(lane.number)]
            ).rows.first?.integer(0)
        } catch {
            throw StoreError.unknown
        }
        guard let commits else { throw StoreError.unknown }
        guard commits == state.commits + 1 else { throw PostgresError.again("the commit was lost") }
    }
}
