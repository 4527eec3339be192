internal import GatewayStore
internal import ServiceLifecycle
internal import WaypostSchema

/// What is to be told to the store after something that cannot fail any more.
enum FollowUp: Sendable {
    /// Notifications that were now or never have ended.
    case settle([FlightEnd])

    /// An agent's stream has closed.
    case disconnect(AgentID)
}

/// What the store is still to be told: by streams that have closed, and by what it could not take at first.
struct FollowUps: Sendable {
    fileprivate let steps: AsyncStream<FollowUp>
    private let queue: AsyncStream<FollowUp>.Continuation

    init() {
        (steps, queue) = AsyncStream.makeStream()
    }

    /// Lets a step wait for its turn.
    func add(_ step: FollowUp) {
        queue.yield(step)
    }

    /// Takes no more steps.
    func finish() {
        queue.finish()
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
        while !(await mailroom.attempt(step)) {
            guard !Task.isCancelled, !Task.isShuttingDownGracefully else { return }
            try? await Task.sleep(for: Self.pause)
        }
    }
}
