internal import Synchronization

/// A request to end a load before its schedule does.
package final class LoadStopRequest: Sendable {
    private struct State {
        var isRequested = false
        var waiters: [AsyncStream<Void>.Continuation] = []
    }

    private let state = Mutex(State())

    /// Creates a request that is not made yet.
    package init() {}

    /// Makes the request.
    package func request() {
        let waiters = state.withLock { state in
            state.isRequested = true
            return state.waiters
        }
        for waiter in waiters { waiter.finish() }
    }

    /// Whether the request was made.
    package var isRequested: Bool {
        state.withLock { $0.isRequested }
    }

    /// Waits until the request is made, or the task is canceled.
    func wait() async {
        let (stream, waiter) = AsyncStream.makeStream(of: Void.self)
        let isRequested = state.withLock { state in
            state.waiters.append(waiter)
            return state.isRequested
        }
        if isRequested { waiter.finish() }
        for await _ in stream {}
    }
}
