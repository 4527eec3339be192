internal import Dispatch
internal import GatewayStore
internal import Synchronization

/// Connections for queries, each with a thread that it blocks.
///
/// A query waits until a connection is free.
final class PostgresReaders: Sendable {
    private typealias Query = @Sendable (Reader) -> Void

    private struct State {
        var idle: [Reader]
        var waiting: [Query] = []
        var isClosed = false
    }

    private let state: Mutex<State>

    /// Creates `count` readers, which connect when they are first used.
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
        state = Mutex(State(idle: (0..<count).map { Reader(number: $0, connect, onFailure) }))
    }

    /// Opens a connection.
    typealias Connect = @Sendable () throws(PostgresError) -> PostgresConnection

    /// Runs `query`, which must not change anything; its result includes all changes that returned before.
    func read<Value: Sendable>(
        _ query: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
            let isOpen = schedule { reader in continuation.resume(returning: reader.run(query)) }
            if !isOpen { continuation.resume(returning: .failure(.failed("the store is closed"))) }
        }
        return try result.get()
    }

    /// Refuses further queries; those that run are finished.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.idle = []
        }
    }

    private func schedule(_ query: @escaping Query) -> Bool {
        let (isOpen, reader) = state.withLock { state -> (Bool, Reader?) in
            guard !state.isClosed else { return (false, nil) }
            if let reader = state.idle.popLast() { return (true, reader) }
            state.waiting.append(query)
            return (true, nil)
        }
        reader?.queue.async { [self] in work(reader, first: query) }
        return isOpen
    }

    /// Runs a query, and then those that wait.
    private func work(_ reader: Reader?, first: @escaping Query) {
        guard let reader else { return }
        var query: Query? = first
        while let next = query {
            next(reader)
            query = state.withLock { state in
                if !state.waiting.isEmpty { return state.waiting.removeFirst() }
                if !state.isClosed { state.idle.append(reader) }
                return nil
            }
        }
    }
}

/// A connection for queries, and the queue whose thread uses it.
private final class Reader: Sendable {
    let queue: DispatchQueue
    private let connect: PostgresReaders.Connect
    private let onFailure: @Sendable (PostgresError) -> Void
    private let connection = Mutex<PostgresConnection?>(nil)

    init(
        number: Int,
        _ connect: @escaping PostgresReaders.Connect,
        _ onFailure: @escaping @Sendable (PostgresError) -> Void
    ) {
        self.connect = connect
        self.onFailure = onFailure
        queue = DispatchQueue(label: "reader \(number) of the store")
    }

    /// Runs a query; a connection that was lost since the last query is opened again.
    func run<Value: Sendable>(
        _ query: @Sendable (PostgresConnection) throws -> Value
    ) -> Result<Value, StoreError> {
        connection.withLock { connection in
            var isRetry = false
            while true {
                do {
                    let wasOpen = connection != nil
                    let open = try connection ?? connect()
                    connection = open
                    do {
                        return .success(try query(open))
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
