internal import Synchronization
internal import WaypostSchema

/// Those who want to know when items of a batch reach a final state.
final class BatchObservers: Sendable {
    private struct State {
        var observers: [BatchID: [Int: AsyncStream<Void>.Continuation]] = [:]
        var lastTicket = 0
    }

    private let state = Mutex(State())

    /// Returns an element for each change of `batch` from now on; changes that come faster than they are read are one.
    func changes(of batch: BatchID) -> AsyncStream<Void> {
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
    func notify(_ batches: Set<BatchID>) {
        guard !batches.isEmpty else { return }
        let observers = state.withLock { state in
            batches.flatMap { state.observers[$0].map { Array($0.values) } ?? [] }
        }
        for observer in observers { observer.yield() }
    }

    private func remove(_ ticket: Int, of batch: BatchID) {
        state.withLock { state in
            state.observers[batch]?[ticket] = nil
            if state.observers[batch]?.isEmpty == true { state.observers[batch] = nil }
        }
    }
}
