internal import DequeModule
internal import Synchronization

/// A limit on how much work of a kind runs at the same time, as a value: more work waits, and begins in its order.
struct ConcurrencyLimit: Sendable {
    /// The decision about work that wants to begin.
    enum Admission: Equatable {
        /// The work begins; `end` must follow.
        case admitted

        /// The work waits, and has this number.
        case waiting(Int)

        /// The work never begins.
        case refused
    }

    /// The maximum amount of work that runs at the same time.
    let maximum: Int

    private var waitingNumbers: Deque<Int> = []
    private var lastNumber = 0
    private var isClosed = false

    /// The amount of work that runs.
    private(set) var runningCount = 0

    /// Creates a limit; no work runs.
    init(maximum: Int) {
        self.maximum = maximum
    }

    /// The amount of work that runs or waits.
    var count: Int {
        runningCount + waitingNumbers.count
    }

    /// Decides about work that wants to begin.
    mutating func begin() -> Admission {
        guard !isClosed else { return .refused }
        guard runningCount >= maximum else {
            runningCount += 1
            return .admitted
        }
        lastNumber += 1
        waitingNumbers.append(lastNumber)
        return .waiting(lastNumber)
    }

    /// Records that admitted work has ended; returns the number of the waiting work that begins in its place.
    mutating func end() -> Int? {
        guard let next = waitingNumbers.popFirst() else {
            runningCount -= 1
            return nil
        }
        return next
    }

    /// Refuses the waiting work, and all further work; returns the numbers of the waiting work.
    mutating func close() -> [Int] {
        isClosed = true
        defer { waitingNumbers = [] }
        return Array(waitingNumbers)
    }
}

/// Runs work of a kind within a limit.
final class ConcurrencyLimiter: Sendable {
    private struct State {
        var limit: ConcurrencyLimit
        var continuations: [Int: CheckedContinuation<Bool, Never>] = [:]
    }

    private let state: Mutex<State>

    /// Creates a limiter that runs at most `maximum` pieces of work at the same time.
    init(maximum: Int) {
        state = Mutex(State(limit: ConcurrencyLimit(maximum: maximum)))
    }

    /// The amount of work that runs or waits.
    var count: Int {
        state.withLock(\.limit.count)
    }

    /// Runs work once it is its turn.
    ///
    /// Work of a task that is canceled waits nevertheless, and then runs.
    ///
    /// - Parameter work: the work; keep it short, and let it wait for nothing that waits for other work of the kind.
    /// - Returns: the result of `work`.
    /// - Throws: the error of `work`; `GatewayError.shuttingDown` if it did not begin before `close`.
    func run<Value: Sendable>(
        _ work: () async throws(GatewayError) -> Value
    ) async throws(GatewayError) -> Value {
        guard await begin() else { throw .shuttingDown }
        defer { end() }
        return try await work()
    }

    /// Refuses the waiting work, and all further work.
    func close() {
        let continuations = state.withLock { state in
            let waiting = state.limit.close().compactMap { state.continuations[$0] }
            state.continuations = [:]
            return waiting
        }
        for continuation in continuations { continuation.resume(returning: false) }
    }

    /// Waits until the work may begin; returns whether it may.
    private func begin() async -> Bool {
        await withCheckedContinuation { continuation in
            let isAdmitted = state.withLock { state -> Bool? in
                switch state.limit.begin() {
                case .admitted: return true
                case .refused: return false
                case .waiting(let number):
                    state.continuations[number] = continuation
                    return nil
                }
            }
            if let isAdmitted { continuation.resume(returning: isAdmitted) }
        }
    }

    private func end() {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard let number = state.limit.end() else { return nil }
            return state.continuations.removeValue(forKey: number)
        }
        next?.resume(returning: true)
    }
}
