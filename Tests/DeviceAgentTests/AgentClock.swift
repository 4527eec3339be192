import DeviceAgent
import Synchronization
import WaypostSchema

/// A clock of an agent that a test moves; waits are over when it has moved far enough.
final class AgentClock: Sendable {
    private struct Wait {
        var end: Timestamp
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = AgentSources.forTests.now()
        var waits: [Int: Wait] = [:]
        var lastWait = 0
    }

    private let state = Mutex(State())

    /// What an agent takes time from.
    var sources: AgentSources {
        AgentSources(now: { self.now }, random: { 0 }, sleep: { try await self.sleep($0) })
    }

    var now: Timestamp {
        state.withLock(\.now)
    }

    /// Moves the clock forward.
    func move(to now: Timestamp) {
        let over = state.withLock { state in
            state.now = max(state.now, now)
            let over = state.waits.filter { $1.end <= state.now }
            for number in over.keys { state.waits[number] = nil }
            return over.values
        }
        for wait in over { wait.continuation.resume() }
    }

    private func sleep(_ duration: Duration) async throws {
        let milliseconds = Int(duration / .milliseconds(1))
        let number = state.withLock { state in
            state.lastWait += 1
            return state.lastWait
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isOver = state.withLock { state in
                    guard milliseconds > 0, !Task.isCancelled else { return true }
                    let end = Timestamp(milliseconds: state.now.rawValue + milliseconds)
                    state.waits[number] = Wait(end: end, continuation: continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
            try Task.checkCancellation()
        } onCancel: {
            state.withLock { $0.waits.removeValue(forKey: number) }?.continuation.resume(throwing: CancellationError())
        }
    }
}
