internal import Delivery
internal import GatewayStore
internal import ServiceLifecycle
internal import Synchronization
internal import WaypostSchema

/// What is to be told to the store after something that cannot fail any more.
struct FollowUp: Sendable {
    /// Notifications that were now or never and have ended.
    var ends: [TransientEnd] = []

    /// Agents whose streams have closed.
    var leaving: Set<AgentID> = []

    /// When and how often notifications were sent that nobody else will tell of: their streams have closed, or they have left
    /// their inboxes.
    var attempts: [Namespace: [Int: DeliveryAttempts]] = [:]

    /// Whether there is nothing to tell.
    var isEmpty: Bool {
        ends.isEmpty && leaving.isEmpty && attempts.isEmpty
    }

    /// Adds that notifications of a namespace were sent.
    mutating func add(_ sent: [Int: DeliveryAttempts], in namespace: Namespace) {
        guard !sent.isEmpty else { return }
        attempts[namespace, default: [:]].merge(sent) { earlier, later in
            var attempts = earlier
            attempts.append(later)
            return attempts
        }
    }

    /// Adds what is to be told too.
    mutating func append(_ later: Self) {
        ends += later.ends
        leaving.formUnion(later.leaving)
        for (namespace, sent) in later.attempts { add(sent, in: namespace) }
    }
}

/// What the store is still to be told: by streams that have closed, and by what it could not take at first.
///
/// However much comes while the store is busy, it is one thing to tell when it is not.
final class FollowUps: Sendable {
    fileprivate let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let waiting = Mutex(FollowUp())

    init() {
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Lets something wait for its turn.
    func add(_ followUp: FollowUp) {
        guard !followUp.isEmpty else { return }
        waiting.withLock { $0.append(followUp) }
        signal.yield()
    }

    /// Takes what waits.
    fileprivate func take() -> FollowUp {
        waiting.withLock { waiting in
            defer { waiting = FollowUp() }
            return waiting
        }
    }

    /// Lets the service end once nothing waits.
    fileprivate func finish() {
        signal.finish()
    }
}

/// Tells the store what follows from what has happened, and again where it fails; all of it, before the gateway goes.
struct FollowUpService: Service {
    /// The time between two attempts.
    private static let pause = Duration.seconds(1)

    let delivery: DeliveryService

    func run() async throws {
        await withGracefulShutdownHandler {
            for await _ in delivery.followUps.signals { await carryOut() }
            await carryOut()
        } onGracefulShutdown: {
            delivery.followUps.finish()
        }
    }

    /// What the store cannot be told while the gateway goes, it finds out by itself when it is opened again.
    private func carryOut() async {
        var rest = delivery.followUps.take()
        while !rest.isEmpty {
            rest = await delivery.attempt(rest)
            guard !rest.isEmpty else { return }
            guard !Task.isCancelled, !Task.isShuttingDownGracefully else { return }
            try? await Task.sleep(for: Self.pause)
        }
    }
}

/// Takes what has expired out of the inboxes, again and again.
///
/// What has expired is not delivered whether it was swept or not; sweeping makes room, and tells those who wait.
struct Sweeper: Service {
    let delivery: DeliveryService
    let interval: Duration

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                try? await Task.sleep(for: interval)
                await delivery.expireEverywhere()
            }
        }
    }
}
