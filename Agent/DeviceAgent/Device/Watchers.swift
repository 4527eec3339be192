internal import Synchronization

/// Those who want to look again whenever something changed, and need not know what.
final class Watchers: Sendable {
    private struct State {
        var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
        var last = 0
        var hasEnded = false
    }

    private let state = Mutex(State())

    /// Returns what has an element now, and after one or more changes.
    func watch() -> AsyncStream<Void> {
        let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let (number, hasEnded) = state.withLock { state in
            state.last += 1
            if !state.hasEnded { state.watchers[state.last] = change }
            return (state.last, state.hasEnded)
        }
        change.yield()
        change.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.watchers.removeValue(forKey: number) }
        }
        if hasEnded { change.finish() }
        return changes
    }

    /// Has everybody look again.
    func tell() {
        for watcher in state.withLock({ Array($0.watchers.values) }) { watcher.yield() }
    }

    /// Tells everybody that nothing changes any more.
    func end() {
        let watchers = state.withLock { state in
            state.hasEnded = true
            return Array(state.watchers.values)
        }
        for watcher in watchers { watcher.finish() }
    }
}
