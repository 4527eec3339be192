internal import LocalService
internal import Synchronization

extension Processor {
    /// Runs CPU-bound work for a request, which may end early if the client closes its end of the connection.
    ///
    /// - Parameters:
    ///   - context: the context of the request.
    ///   - work: the work; it calls its argument from time to time to learn if the client has left.
    /// - Returns: the result of `work`; a client that has closed only its sending side still reads it.
    /// - Throws: any error of `work`; `GatewayError.shuttingDown` if the threads have stopped.
    static func run<Value: Sendable>(
        for context: ServiceContext,
        _ work: @escaping @Sendable (_ isCanceled: () -> Bool) throws(GatewayError) -> Value
    ) async throws -> Value {
        let cancellation = Cancellation()
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                try await Self.run { () throws(GatewayError) -> Value in try work { cancellation.isRequested } }
            }
            group.addTask {
                await context.waitForDisconnect()
                cancellation.request()
                return nil
            }
            defer { group.cancelAll() }
            while let result = try await group.next() {
                if let value = result { return value }
            }
            throw CancellationError()
        }
    }
}

/// A request to end work on another thread.
private final class Cancellation: Sendable {
    private let state = Atomic(false)

    /// Whether the work should end.
    var isRequested: Bool {
        state.load(ordering: .relaxed)
    }

    /// Asks the work to end.
    func request() {
        state.store(true, ordering: .relaxed)
    }
}
