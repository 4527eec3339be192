internal import Dispatch
internal import GatewayStore
internal import Synchronization

/// A pool of connections, each with a thread that it blocks.
///
/// Work waits until a connection is free.
final class PostgresConnectionPool: Sendable {
    private typealias Job = @Sendable (PooledConnection) -> Void

    private struct State {
        var idleConnections: [PooledConnection]
        var waitingJobs: [Job] = []
        var isClosed = false
    }

    private let state: Mutex<State>

    /// Creates a pool of `count` connections, which are opened when they are first used.
    ///
    /// - Parameters:
    ///   - count: the number of connections.
    ///   - connect: opens a connection, and reports if that fails.
    ///   - onFailure: reports an error that has ended a connection.
    init(
        count: Int,
        connect: @escaping Connect,
        onFailure: @escaping @Sendable (PostgresError) -> Void
    ) {
        state = Mutex(State(idleConnections: (0..<count).map { PooledConnection(number: $0, connect, onFailure) }))
    }

    /// Opens a connection.
    typealias Connect = @Sendable () throws(PostgresError) -> PostgresConnection

    /// Runs `body` on a free connection, and returns its result, which includes all changes that returned before.
    ///
    /// If the connection is lost, `body` may run again on a new one, so running it twice must do no harm.
    func withConnection<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
            let isOpen = schedule { connection in continuation.resume(returning: connection.run(body)) }
            if !isOpen { continuation.resume(returning: .failure(.failed("the store is closed"))) }
        }
        return try result.get()
    }

    /// Refuses further work; work that has begun is finished.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.idleConnections = []
        }
    }

    private func schedule(_ job: @escaping Job) -> Bool {
        let (isOpen, connection) = state.withLock { state -> (Bool, PooledConnection?) in
            guard !state.isClosed else { return (false, nil) }
            if let connection = state.idleConnections.popLast() { return (true, connection) }
            state.waitingJobs.append(job)
            return (true, nil)
        }
        connection?.queue.async { [self] in runJobs(on: connection, first: job) }
        return isOpen
    }

    /// Runs a job, and then those that wait.
    private func runJobs(on connection: PooledConnection?, first: @escaping Job) {
        guard let connection else { return }
        var job: Job? = first
        while let currentJob = job {
            currentJob(connection)
            job = state.withLock { state in
                if !state.waitingJobs.isEmpty { return state.waitingJobs.removeFirst() }
                if !state.isClosed { state.idleConnections.append(connection) }
                return nil
            }
        }
    }
}

/// A connection of a pool, and the queue whose thread uses it.
private final class PooledConnection: Sendable {
    let queue: DispatchQueue
    private let connect: PostgresConnectionPool.Connect
    private let onFailure: @Sendable (PostgresError) -> Void
    private let connection = Mutex<PostgresConnection?>(nil)

    init(
        number: Int,
        _ connect: @escaping PostgresConnectionPool.Connect,
        _ onFailure: @escaping @Sendable (PostgresError) -> Void
    ) {
        self.connect = connect
        self.onFailure = onFailure
        queue = DispatchQueue(label: "reader \(number) of the store")
    }

    /// Runs `body`; if the connection was lost since its last use, it is opened again.
    func run<Value: Sendable>(
        _ body: @Sendable (PostgresConnection) throws -> Value
    ) -> Result<Value, StoreError> {
        connection.withLock { connection in
            var isRetry = false
            while true {
                do {
                    let wasOpen = connection != nil
                    let openConnection = try connection ?? connect()
                    connection = openConnection
                    do {
                        return .success(try body(openConnection))
                    } catch let error as PostgresError where error.endsConnection {
                        connection = nil
                        onFailure(error)
                        guard wasOpen, !isRetry else { throw error }
                        isRetry = true
                    }
                } catch {
                    return .failure(StoreError(error))
                }
            }
        }
    }
}
