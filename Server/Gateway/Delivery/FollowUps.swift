internal import GatewayStore
internal import PushRules
internal import ServiceLifecycle
internal import Synchronization
internal import WaypostSchema

/// Follow-up work for the store after a change that can no longer fail.
struct FollowUp: Sendable {
    /// A session whose stream has closed.
    struct Closing: Sendable {
        var agent: AgentID
        var epoch: SessionEpoch
        var report: DeviceSessions.ClosingReport
    }

    /// The transient notifications that have ended.
    var ends: [TransientEnd] = []

    /// The sessions whose streams have closed.
    var closings: [Closing] = []

    /// The times at which notifications were sent that have left their streams or inboxes: nothing else records these
    /// times.
    var attempts: [Namespace: [Int: DeliveryAttempts]] = [:]

    /// Whether there is no work.
    var isEmpty: Bool {
        ends.isEmpty && closings.isEmpty && attempts.isEmpty
    }

    /// Adds the times at which notifications of a namespace were sent.
    mutating func add(_ sent: [Int: DeliveryAttempts], in namespace: Namespace) {
        guard !sent.isEmpty else { return }
        attempts[namespace, default: [:]].merge(sent) { earlier, later in
            var attempts = earlier
            attempts.merge(later)
            return attempts
        }
    }

    /// Adds later work.
    mutating func append(_ later: Self) {
        ends += later.ends
        closings += later.closings
        for (namespace, sent) in later.attempts { add(sent, in: namespace) }
    }
}

/// The queue of follow-up work: from closed streams, and work that the store did not accept at first.
///
/// All work that arrives while the store is busy is merged.
final class FollowUps: Sendable {
    fileprivate let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let waiting = Mutex(FollowUp())

    init() {
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Adds work.
    func add(_ followUp: FollowUp) {
        guard !followUp.isEmpty else { return }
        waiting.withLock { $0.append(followUp) }
        signal.yield()
    }

    /// Removes and returns the waiting work.
    fileprivate func take() -> FollowUp {
        waiting.withLock { waiting in
            defer { waiting = FollowUp() }
            return waiting
        }
    }

    /// Ends the signals, so that the service can end once no work waits.
    fileprivate func finish() {
        signal.finish()
    }
}

/// Runs the follow-up work, retries it if the store fails, and finishes it before the gateway shuts down.
struct FollowUpService: Service {
    /// The time between two attempts.
    private static let retryDelay = Duration.seconds(1)

    let delivery: DeliveryService

    func run() async throws {
        await withGracefulShutdownHandler {
            for await _ in delivery.followUps.signals { await performWaitingWork() }
            await performWaitingWork()
        } onGracefulShutdown: {
            delivery.followUps.finish()
        }
    }

    /// Work that fails during shutdown needs no retry: the store does the rest when it is opened again, or when it
    /// notices that the gateway has ended.
    private func performWaitingWork() async {
        var rest = delivery.followUps.take()
        while !rest.isEmpty {
            rest = await delivery.perform(rest)
            guard !rest.isEmpty else { return }
            guard !Task.isCancelled, !Task.isShuttingDownGracefully else { return }
            try? await Task.sleep(for: Self.retryDelay)
        }
    }
}
