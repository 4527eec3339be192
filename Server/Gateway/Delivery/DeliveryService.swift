internal import Delivery
internal import GatewayStore
internal import Logging
internal import Synchronization
internal import WaypostSchema

/// Where notifications come in and go out: the store, the open streams and those who wait, kept in step.
///
/// Each method changes the store first, then tells whom it concerns. A stream that closes while something is being stored
/// for it is looked for again afterwards, so that nothing is left in the air. Its subjects are in the files
/// `Mailroom+….swift`.
final class Mailroom: Sendable {
    let store: any GatewayStore
    let clocks: NamespaceClocks
    let sources: GatewaySources
    let observers = BatchObservers<BatchNumber>()
    let arrivals = BatchObservers<PendingBatches.Key>()
    let sessions: Mutex<DeviceSessions>
    let log = LogFollowers()
    let metrics: GatewayMetrics
    let pending = Mutex(PendingBatches())
    let followUps = FollowUps()
    let keys = ProviderKeys()
    let channels = ChannelRegistry()
    let channelWork = ChannelWork()
    let faults = Mutex(FaultScript())
    let logger: Logger

    /// The namespaces in which there may be something to expire.
    private let active = Mutex<Set<Namespace>>([])

    init(
        store: any GatewayStore,
        clocks: NamespaceClocks,
        sources: GatewaySources,
        sessions: DeviceSessions,
        metrics: GatewayMetrics,
        logger: Logger
    ) {
        self.sessions = Mutex(sessions)
        self.metrics = metrics
        self.store = store
        self.clocks = clocks
        self.sources = sources
        self.logger = logger
    }

    /// Asks the store, its faults being the gateway's.
    func ask<Value: Sendable>(
        _ question: () async throws(StoreError) -> Value
    ) async throws(GatewayError) -> Value {
        do {
            return try await question()
        } catch {
            if case .failed(let reason) = error { logger.error("the store failed", metadata: ["error": "\(reason)"]) }
            throw .store(error)
        }
    }

    /// Returns the present moment of a namespace.
    func now(in namespace: Namespace) async throws(GatewayError) -> Timestamp {
        try await ask { () async throws(StoreError) in try await clocks.now(in: namespace) }
    }

    /// Tells whom changes in a namespace concern.
    func announce(_ changes: StoreChanges, in namespace: Namespace) {
        let (signals, attempts) = sessions.withLock { sessions in
            let attempts = sessions.forget(changes.removals)
            sessions.noteNew(for: changes.agents)
            return (sessions.signals(of: changes.agents), attempts)
        }
        for signal in signals { signal(.somethingNew) }
        var followUp = FollowUp()
        followUp.add(attempts, in: namespace)
        followUps.add(followUp)
        for departure in changes.removals { metrics.note(in: departure.state) }
        log.note(changes.removals.lazy.map(\.sequence), in: namespace)
        observers.notify(changes.settledBatches)
    }

    /// Does what follows from a change that is made already; where the store fails it is done later, as the change itself
    /// has not failed.
    func followUp(_ followUp: FollowUp) async {
        followUps.add(await attempt(followUp))
    }

    /// Does what follows from a change; returns what of it the store did not take.
    func attempt(_ followUp: FollowUp) async -> FollowUp {
        var rest = followUp
        do throws(GatewayError) {
            for (namespace, attempts) in followUp.attempts {
                try await note(attempts, in: namespace)
                rest.attempts[namespace] = nil
            }
            try await settle(followUp.ends)
            rest.ends = []
            for agent in followUp.leaving {
                try await disconnect(agent)
                rest.leaving.remove(agent)
            }
        } catch {}
        return rest
    }

    /// Counts what was now or never in its final states, and tells who waits for it.
    private func settle(_ ends: [TransientEnd]) async throws(GatewayError) {
        guard !ends.isEmpty else { return }
        try await ask { () async throws(StoreError) in try await store.settle(ends) }
        for end in ends {
            metrics.note(in: end.state)
            log.note([end.sequence], in: end.namespace)
        }
        observers.notify(Set(ends.map(\.batch)))
    }

    /// Tells the log when and how often something was sent.
    private func note(_ attempts: [Int: DeliveryAttempts], in namespace: Namespace) async throws(GatewayError) {
        try await ask { () async throws(StoreError) in try await store.note(attempts, in: namespace) }
        sessions.withLock { $0.noteReported(attempts.keys) }
        log.note(attempts.keys, in: namespace)
    }

    /// Tells the store that an agent has left, unless it is back: then it has in the air what it had before.
    private func disconnect(_ agent: AgentID) async throws(GatewayError) {
        guard !sessions.withLock({ $0.isOpen(agent) }) else { return }
        let now = try await now(in: agent.namespace)
        let changes = try await ask { () async throws(StoreError) in try await store.disconnect(agent, at: now) }
        announce(changes, in: agent.namespace)
    }

    /// Notes that there may be something to expire in a namespace.
    func noteActive(_ namespace: Namespace) {
        active.withLock { _ = $0.insert(namespace) }
    }

    /// Notes that a namespace was reset.
    func noteReset(_ namespace: Namespace) {
        active.withLock { _ = $0.remove(namespace) }
    }

    /// The namespaces in which there may be something to expire.
    var activeNamespaces: Set<Namespace> {
        active.withLock { $0 }
    }
}
