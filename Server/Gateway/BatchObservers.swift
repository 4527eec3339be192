internal import Synchronization

/// Those who want to know when something becomes of a batch, which they know by a `Key`.
final class BatchObservers<Key: Hashable & Sendable>: Sendable {
    private struct State {
        var observers: [Key: [Int: AsyncStream<Void>.Continuation]] = [:]
        var lastTicket = 0
    }

    private let state = Mutex(State())

    /// Returns an element for each change of `batch` from now on; changes that come faster than they are read are one.
    func changes(of batch: Key) -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let ticket = state.withLock { state in
                state.lastTicket += 1
                state.observers[batch, default: [:]][state.lastTicket] = continuation
                return state.lastTicket
            }
            continuation.onTermination = { [weak self] _ in self?.remove(ticket, of: batch) }
        }
    }

    /// Tells the observers of `batches` that they changed.
    func notify(_ batches: Set<Key>) {
        guard !batches.isEmpty else { return }
        let observers = state.withLock { state in
            batches.flatMap { state.observers[$0].map { Array($0.values) } ?? [] }
        }
        for observer in observers { observer.yield() }
    }

    private func remove(_ ticket: Int, of batch: Key) {
        state.withLock { state in
            state.observers[batch]?[ticket] = nil
            if state.observers[batch]?.isEmpty == true { state.observers[batch] = nil }
        }
    }
}
