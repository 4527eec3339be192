internal import GatewayStore
internal import Synchronization

/// The acknowledgements that a handle has forwarded, and that have no response yet.
final class ForwardedRequests: Sendable {
    private struct Request {
        var age = 0
        let finish: @Sendable (Result<Int, StoreError>) -> Void
    }

    private struct State {
        var last = 0
        var waiting: [Int: Request] = [:]
    }

    /// The age at which a request fails, because its gateway has probably ended.
    private static let maximumAge = 3

    private let state = Mutex(State())

    /// Adds a request; `finish` is called once, with the response or an error.
    func add(_ finish: @escaping @Sendable (Result<Int, StoreError>) -> Void) -> Int {
        state.withLock { state in
            state.last += 1
            state.waiting[state.last] = Request(finish: finish)
            return state.last
        }
    }

    /// Finishes a request; `nil` if the other gateway could not process the acknowledgement.
    func finish(_ number: Int, _ count: Int?) {
        let request = state.withLock { $0.waiting.removeValue(forKey: number) }
        request?.finish(count.map(Result.success) ?? .failure(.unavailable))
    }

    /// Makes all requests older, to be called each second; those that have waited too long fail.
    func incrementAges() {
        let failed = state.withLock { state in
            for number in state.waiting.keys { state.waiting[number]?.age += 1 }
            let failed = state.waiting.filter { $0.value.age >= Self.maximumAge }
            for number in failed.keys { state.waiting[number] = nil }
            return failed.values
        }
        for request in failed { request.finish(.failure(.unavailable)) }
    }

    /// Fails all requests.
    func close() {
        let waiting = state.withLock { state in
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for request in waiting { request.finish(.failure(.unavailable)) }
    }
}
