internal import GatewayStore
internal import Synchronization

/// The acknowledgements that a handle has forwarded and whose answers it awaits.
final class ForwardedQuestions: Sendable {
    private struct Question {
        var age = 0
        let finish: @Sendable (Result<Int, StoreError>) -> Void
    }

    private struct State {
        var last = 0
        var waiting: [Int: Question] = [:]
    }

    /// The age at which a question fails, because its gateway has probably ended.
    private static let limit = 3

    private let state = Mutex(State())

    /// Adds a question; `finish` is called once, with the answer or an error.
    func add(_ finish: @escaping @Sendable (Result<Int, StoreError>) -> Void) -> Int {
        state.withLock { state in
            state.last += 1
            state.waiting[state.last] = Question(finish: finish)
            return state.last
        }
    }

    /// Finishes a question; `nil` if the other gateway could not process the acknowledgement.
    func finish(_ number: Int, _ count: Int?) {
        let question = state.withLock { $0.waiting.removeValue(forKey: number) }
        question?.finish(count.map(Result.success) ?? .failure(.unavailable))
    }

    /// Makes all questions older, to be called each second; those that have waited too long fail.
    func age() {
        let failed = state.withLock { state in
            for number in state.waiting.keys { state.waiting[number]?.age += 1 }
            let failed = state.waiting.filter { $0.value.age >= Self.limit }
            for number in failed.keys { state.waiting[number] = nil }
            return failed.values
        }
        for question in failed { question.finish(.failure(.unavailable)) }
    }

    /// Fails all questions.
    func close() {
        let waiting = state.withLock { state in
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for question in waiting { question.finish(.failure(.unavailable)) }
    }
}
