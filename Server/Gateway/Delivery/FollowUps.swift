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

        /// The number of notifications that the store learns about.
        var itemCount: Int {
            report.attempts.count + report.ends.count
        }
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
final class FollowUps: Sendable {
    fileprivate let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let queue = Mutex(FollowUpQueue())

    init() {
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// The number of sessions whose streams have closed and that are still open in the store.
    var sessionCount: Int {
        queue.withLock(\.sessionCount)
    }

    /// The sessions whose streams have closed and that are still open in the store.
    var closingSessions: [AgentID: SessionEpoch] {
        queue.withLock(\.closingSessions)
    }

    /// The sequences of the transient notifications whose ends are not in the store.
    var endingSequences: Set<Int> {
        queue.withLock(\.endingSequences)
    }

    /// Adds work.
    func add(_ followUp: FollowUp) {
        guard !followUp.isEmpty else { return }
        queue.withLock { $0.add(followUp) }
        signal.yield()
    }

    /// Removes and returns the next group of the waiting work; `finishGroup` must follow.
    fileprivate func nextGroup() -> FollowUp? {
        queue.withLock { $0.nextGroup() }
    }

    /// Records the end of a group, and takes back the part that the store did not accept.
    fileprivate func finishGroup(_ rest: FollowUp) {
        queue.withLock { $0.finishGroup(rest) }
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

    /// The maximum number of groups after the service was canceled, because the shutdown takes too long.
    ///
    /// The store does the rest when it is opened again, or when it notices that the gateway has ended, as after a
    /// crash.
    private static let maximumGroupsAfterCancellation = 32

    let delivery: DeliveryService

    func run() async throws {
        await withGracefulShutdownHandler {
            for await _ in delivery.followUps.signals { await performWaitingWork() }
            await performWaitingWork()
        } onGracefulShutdown: {
            delivery.followUps.finish()
        }
    }

    /// Runs the waiting work, one group after another, so that other changes of the store are made in between.
    ///
    /// Work that fails during shutdown needs no retry: the store does the rest, as after a crash.
    private func performWaitingWork() async {
        var remainingGroups = Self.maximumGroupsAfterCancellation
        var hasFailed = false
        while remainingGroups > 0, let group = delivery.followUps.nextGroup() {
            let rest = await delivery.perform(group)
            delivery.followUps.finishGroup(rest)
            if Task.isCancelled { remainingGroups -= 1 }
            let hasFailedAgain = hasFailed && !rest.isEmpty
            hasFailed = !rest.isEmpty
            guard hasFailed else { continue }
            if Task.isCancelled || Task.isShuttingDownGracefully {
                // One session that the store never accepts must not keep the others from ending.
                guard !hasFailedAgain else { return }
                continue
            }
            try? await Task.sleep(for: Self.retryDelay)
        }
    }
}
