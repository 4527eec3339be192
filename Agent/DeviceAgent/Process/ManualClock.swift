internal import Synchronization
package import WaypostSchema

/// A clock that only moves on request; a wait ends when the clock has moved far enough.
package final class ManualClock: Sendable {
    private struct Wait {
        var end: Timestamp
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now: Timestamp
        var waits: [Int: Wait] = [:]
        var lastWait = 0
    }

    private let state: Mutex<State>

    /// Creates a clock that shows `now`.
    package init(_ now: Timestamp) {
        state = Mutex(State(now: now))
    }

    /// The time on the clock.
    package var now: Timestamp {
        state.withLock(\.now)
    }

    /// Moves the clock to a time; the clock never moves back.
    package func move(to now: Timestamp) {
        let dueWaits = state.withLock { state in
            state.now = max(state.now, now)
            let dueWaits = state.waits.filter { $1.end <= state.now }
            for number in dueWaits.keys { state.waits[number] = nil }
            return dueWaits.values
        }
        for wait in dueWaits { wait.continuation.resume() }
    }

    /// Waits until the clock has moved by `duration`; throws if the task is canceled.
    package func sleep(_ duration: Duration) async throws {
        try await sleep(until: Timestamp(milliseconds: now.rawValue + Int(duration / .milliseconds(1))))
    }

    /// Waits until the clock shows `end`; throws if the task is canceled.
    package func sleep(until end: Timestamp) async throws {
        let number = state.withLock { state in
            state.lastWait += 1
            return state.lastWait
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isOver = state.withLock { state in
                    guard end > state.now, !Task.isCancelled else { return true }
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
