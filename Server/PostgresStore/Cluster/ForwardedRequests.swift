internal import GatewayStore
internal import Synchronization

/// The acknowledgements that a handle has forwarded, and that have no response yet.
final class ForwardedRequests: Sendable {
    private struct Request {
        var age = 0
        let finish: @Sendable (Result<Int, StoreError>) -> Void
    }

    private struct State {
        var lastNumber = 0
        var pendingRequests: [Int: Request] = [:]
    }

    /// The age in seconds at which a request fails, because its gateway has probably ended.
    private static let maximumAge = 3

    private let state = Mutex(State())

    /// Adds a request; `finish` is called once, with the response or an error.
    func add(_ finish: @escaping @Sendable (Result<Int, StoreError>) -> Void) -> Int {
        state.withLock { state in
            state.lastNumber += 1
            state.pendingRequests[state.lastNumber] = Request(finish: finish)
            return state.lastNumber
        }
    }

    /// Finishes a request with the number of removed notifications; `nil` if the other gateway failed.
    func finish(_ number: Int, _ count: Int?) {
        let request = state.withLock { $0.pendingRequests.removeValue(forKey: number) }
        request?.finish(count.map(Result.success) ?? .failure(.unavailable))
    }

    /// Adds a second to the ages of all requests; those that are too old fail.
    ///
    /// It must be called each second.
    func incrementAges() {
        let expiredRequests = state.withLock { state in
            for number in state.pendingRequests.keys { state.pendingRequests[number]?.age += 1 }
            let expired = state.pendingRequests.filter { $0.value.age >= Self.maximumAge }
            for number in expired.keys { state.pendingRequests[number] = nil }
            return expired.values
        }
        for request in expiredRequests { request.finish(.failure(.unavailable)) }
    }

    /// Fails all requests.
    func close() {
        let pendingRequests = state.withLock { state in
            defer { state.pendingRequests = [:] }
            return state.pendingRequests.values
        }
        for request in pendingRequests { request.finish(.failure(.unavailable)) }
    }
}
