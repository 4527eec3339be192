internal import Logging
internal import ServiceLifecycle
internal import Synchronization
internal import WaypostSchema

/// Takes in, one after another, the batches that were answered before they were stored.
///
/// How many wait is bounded by the door that they came in through. Those that wait when the gateway is asked to go are
/// taken in first.
struct PendingIntake: Service {
    private let mailroom: Mailroom
    private let limits: BatchLimits
    private let submissions: AsyncStream<BatchSubmission>
    private let queue: AsyncStream<BatchSubmission>.Continuation

    init(_ mailroom: Mailroom, limits: BatchLimits) {
        self.mailroom = mailroom
        self.limits = limits
        (submissions, queue) = AsyncStream.makeStream()
    }

    /// Lets a batch wait for its turn.
    ///
    /// - Throws: `GatewayError.shuttingDown`.
    func add(_ submission: BatchSubmission) throws(GatewayError) {
        mailroom.pending.withLock { $0.add(submission.pendingKey) }
        if case .terminated = queue.yield(submission) {
            mailroom.pending.withLock { $0.end(submission.pendingKey, as: nil) }
            throw .shuttingDown
        }
    }

    func run() async throws {
        await withGracefulShutdownHandler {
            for await submission in submissions { await take(submission) }
        } onGracefulShutdown: {
            queue.finish()
        }
    }

    private func take(_ submission: BatchSubmission) async {
        // Where its namespace was reset, nothing waits for it any more.
        guard mailroom.pending.withLock({ $0[submission.pendingKey] }) != nil else { return }
        let phase = await phase(after: submission)
        mailroom.pending.withLock { $0.end(submission.pendingKey, as: phase) }
        mailroom.arrivals.notify([submission.pendingKey])
    }

    private func phase(after submission: BatchSubmission) async -> PendingBatches.Phase? {
        do throws(GatewayError) {
            let answer = try await mailroom.accept(submission, limits: limits)
            return answer.isReplay ? .known(answer.receipt.id) : nil
        } catch {
            return .refused(error)
        }
    }
}

extension BatchSubmission {
    /// What it is known by while it waits.
    var pendingKey: PendingBatches.Key {
        PendingBatches.Key(namespace: namespace, id: id)
    }
}
