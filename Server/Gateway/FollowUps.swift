internal import Delivery
internal import GatewayStore
internal import ServiceLifecycle
internal import Synchronization
internal import WaypostSchema

/// What is to be told to the store after something that cannot fail any more.
enum FollowUp: Sendable {
    /// Notifications that were now or never have ended.
    case settle([FlightEnd])

    /// An agent's stream has closed, on which notifications were sent.
    case disconnect(AgentID, [Int: DeliveryAttempts])

    /// Notifications were sent that have left their inboxes since.
    case note([Int: DeliveryAttempts], Namespace)

    /// Whether there is nothing to tell.
    fileprivate var isEmpty: Bool {
        switch self {
        case .settle(let ends): ends.isEmpty
        case .disconnect: false
        case .note(let attempts, _): attempts.isEmpty
        }
    }
}

/// What the store is still to be told: by streams that have closed, and by what it could not take at first.
///
/// Of an agent that comes and goes faster than the store is told there is one disconnection that waits.
final class FollowUps: Sendable {
    fileprivate let steps: AsyncStream<FollowUp>
    private let queue: AsyncStream<FollowUp>.Continuation
    private let leaving = Mutex<Set<AgentID>>([])

    init() {
        (steps, queue) = AsyncStream.makeStream()
    }

    /// Lets a step wait for its turn.
    func add(_ step: FollowUp) {
        guard !step.isEmpty else { return }
        if case .disconnect(let agent, let attempts) = step {
            let isFirst = leaving.withLock { $0.insert(agent).inserted }
            guard isFirst || !attempts.isEmpty else { return }
        }
        queue.yield(step)
    }

    /// Takes no more steps.
    func finish() {
        queue.finish()
    }

    /// Notes that a step is about to be taken.
    fileprivate func begin(_ step: FollowUp) {
        if case .disconnect(let agent, _) = step { leaving.withLock { _ = $0.remove(agent) } }
    }
}

/// Tells the store what follows from what has happened, one step after another, and again where it fails; all of it, before
/// the gateway goes.
struct FollowUpService: Service {
    /// The time between two attempts.
    private static let pause = Duration.seconds(1)

    let mailroom: Mailroom

    func run() async throws {
        await withGracefulShutdownHandler {
            for await step in mailroom.followUps.steps { await carryOut(step) }
        } onGracefulShutdown: {
            mailroom.followUps.finish()
        }
    }

    /// What the store cannot be told while the gateway goes, it finds out by itself when it is opened again.
    private func carryOut(_ step: FollowUp) async {
        mailroom.followUps.begin(step)
        while !(await mailroom.attempt(step)) {
            guard !Task.isCancelled, !Task.isShuttingDownGracefully else { return }
            try? await Task.sleep(for: Self.pause)
        }
    }
}
