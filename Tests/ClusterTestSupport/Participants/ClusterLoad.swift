import Synchronization

/// The load of a trial: the batches of all senders, and the order to end.
final class ClusterLoad: Sendable {
    private struct State {
        var isOver = false
        var batches: [ClusterBatch] = []
        var replayed = 0
        var finishedSenders = 0
    }

    private let state = Mutex(State())

    /// Whether senders must send nothing new.
    var isOver: Bool {
        state.withLock(\.isOver)
    }

    /// The number of answered batches.
    var answeredCount: Int {
        state.withLock(\.batches.count)
    }

    /// The batches that were answered with 200.
    var batches: [ClusterBatch] {
        state.withLock(\.batches)
    }

    /// The number of answers that were those of an earlier request.
    var replayed: Int {
        state.withLock(\.replayed)
    }

    /// The number of senders that have ended.
    var finishedSenders: Int {
        state.withLock(\.finishedSenders)
    }

    /// Records that a sender has ended.
    func recordFinished() {
        state.withLock { $0.finishedSenders += 1 }
    }

    /// Records an answered batch.
    func add(_ batch: ClusterBatch) {
        state.withLock { $0.batches.append(batch) }
    }

    /// Records that an answer was that of an earlier request.
    func recordReplayed() {
        state.withLock { $0.replayed += 1 }
    }

    /// Ends the load: the senders finish their batches.
    func end() {
        state.withLock { $0.isOver = true }
    }
}
