import Dispatch
import Synchronization
import WaypostTestSupport

/// A plan to stop a client that has a transaction open, when it has sent a pipeline of statements.
final class TransactionStop: Sendable {
    /// The part of the pipeline that the server has while the client is stopped.
    enum Moment: Sendable, CaseIterable {
        /// It has the whole pipeline: it executes the statements and answers, and then waits for the next pipeline.
        case betweenPipelines

        /// It has no end of the pipeline: it executes the statements, and then waits for the rest.
        case withinPipeline
    }

    private struct State {
        /// The number of pipelines that the client sends before the one at which it is stopped.
        var pipelinesBefore: Int

        var isStopped = false
    }

    /// The part of the pipeline that the server has.
    let moment: Moment

    private let stopClient: @Sendable () -> Void
    private let state: Mutex<State>
    private let continued = DispatchSemaphore(value: 0)

    /// Creates the plan.
    ///
    /// - Parameters:
    ///   - moment: what the server has of the pipeline.
    ///   - pipelinesBefore: the number of pipelines that the client sends before, in any transactions.
    ///   - stopClient: stops the process of the client.
    init(_ moment: Moment, after pipelinesBefore: Int, stopClient: @escaping @Sendable () -> Void) {
        self.moment = moment
        self.stopClient = stopClient
        state = Mutex(State(pipelinesBefore: pipelinesBefore))
    }

    /// Stops the client if the pipeline at whose end it is, in a transaction, is the planned one; returns whether it is.
    func stopIfDue() -> Bool {
        let isDue = state.withLock { state in
            state.pipelinesBefore -= 1
            return state.pipelinesBefore == -1
        }
        guard isDue else { return false }
        stopClient()
        state.withLock { $0.isStopped = true }
        return true
    }

    /// Waits, in a thread of its own, until the client continues.
    func waitUntilContinued() {
        continued.wait()
        continued.signal()
    }

    /// Waits until the client is stopped.
    func waitUntilStopped() async throws {
        try await waitUntil("a client is in a transaction", within: .clusterWait) { state.withLock(\.isStopped) }
    }

    /// Records that the client continues, or that it need not be stopped any longer.
    func end() {
        state.withLock { $0.pipelinesBefore = -1 }
        continued.signal()
    }
}
