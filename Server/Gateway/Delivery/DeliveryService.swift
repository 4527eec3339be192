internal import Delivery
internal import GatewayStore
internal import LocalService
internal import Logging
internal import Synchronization
internal import WaypostSchema

/// Delivers notifications: keeps the store, the open streams and the waiters in step.
///
/// Each method changes the store first, then notifies whom the change concerns. A stream that closes while something is
/// being stored for it is looked for again afterwards, so that nothing stays unacknowledged without a stream.
final class DeliveryService: Sendable {
    let store: StoreAccess
    let metrics: GatewayMetrics
    let sessions: Mutex<DeviceSessions>

    /// Waiters for batches of which something comes into a final state.
    let batches = ChangeNotifier<BatchNumber>()

    let followers = LogFollowers()
    let followUps = FollowUps()

    /// The namespaces in which there may be something to expire.
    private let active = Mutex<Set<Namespace>>([])

    init(store: StoreAccess, sessions: DeviceSessions, metrics: GatewayMetrics) {
        self.store = store
        self.sessions = Mutex(sessions)
        self.metrics = metrics
    }

    /// The clocks of the namespaces.
    var clocks: NamespaceClocks {
        store.clocks
    }

    // MARK: Taking batches in

    /// Takes a batch in; what was accepted is durable then, and on its way to the devices that are connected.
    func append(_ batch: NewBatch) async throws(GatewayError) -> AppendOutcome {
        noteActive(batch.namespace)
        let connected = sessions.withLock { $0.openAgents }
        let handover = Handover()
        let outcome = try await store.call(in: batch.namespace) { store, now in
            try await store.append(batch, connected: connected, at: now) { appended in
                handover.finish(with: self.handOver(appended, at: now))
            }
        }
        guard case .appended(let appended) = outcome else { return outcome }
        await announce(appended, of: batch.namespace, connected: connected, dropping: handover.dropped)
        metrics.noteRejected(batch.rejections.lazy.map(\.rejection.reason))
        metrics.noteRejected(appended.refusals.lazy.compactMap { $0?.rejection.reason })
        metrics.noteAccepted(zip(batch.notifications, appended.refusals).lazy.filter { $1 == nil }.map { $0.0 })
        return outcome
    }

    /// Hands what was accepted to the open streams, without a look into the store.
    ///
    /// - Parameters:
    ///   - appended: what was accepted.
    ///   - now: the present moment.
    /// - Returns: the transient notifications that are dropped.
    private func handOver(_ appended: Appended, at now: Timestamp) -> [TransientEnd] {
        guard !appended.deliveries.isEmpty else { return [] }
        let (dropped, signals) = sessions.withLock { sessions in
            (sessions.add(appended.deliveries, at: now), sessions.signals(of: Set(appended.deliveries.map(\.agent))))
        }
        for signal in signals { signal(.somethingNew) }
        return dropped
    }

    /// Notifies everyone else of what was accepted.
    private func announce(
        _ appended: Appended,
        of namespace: Namespace,
        connected: Set<AgentID>,
        dropping dropped: [TransientEnd]
    ) async {
        for (state, count) in appended.arrivals { metrics.note(count, in: state) }
        if let logged = appended.logged { followers.note(logged, in: namespace) }
        var changes = appended.changes
        // The connected ones have their notifications by now; the others may have connected meanwhile.
        changes.agents.subtract(connected)
        announce(changes, in: namespace)
        await followUp(FollowUp(ends: dropped))
        let leaving = appended.changes.agents.intersection(connected)
        guard !leaving.isEmpty else { return }
        await followUp(FollowUp(leaving: leaving.subtracting(sessions.withLock { $0.openAgents })))
    }

    // MARK: What follows from changes

    /// Notifies the streams, followers and waiters that changes in a namespace affect.
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
        for removal in changes.removals { metrics.note(in: removal.state) }
        followers.note(changes.removals.lazy.map(\.sequence), in: namespace)
        batches.notify(changes.settledBatches)
    }

    /// Runs the follow-up work of a committed change; if the store fails it is tried again later, as the change itself has
    /// not failed.
    func followUp(_ followUp: FollowUp) async {
        followUps.add(await attempt(followUp))
    }

    /// Runs follow-up work; returns what of it the store did not take.
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

    /// Counts transient notifications in their final states, and notifies waiters.
    private func settle(_ ends: [TransientEnd]) async throws(GatewayError) {
        guard !ends.isEmpty else { return }
        try await store.call { try await $0.settle(ends) }
        for end in ends {
            metrics.note(in: end.state)
            followers.note([end.sequence], in: end.namespace)
        }
        batches.notify(Set(ends.map(\.batch)))
    }

    /// Tells the log when and how often something was sent.
    private func note(_ attempts: [Int: DeliveryAttempts], in namespace: Namespace) async throws(GatewayError) {
        try await store.call { try await $0.note(attempts, in: namespace) }
        sessions.withLock { $0.noteReported(attempts.keys) }
        followers.note(attempts.keys, in: namespace)
    }

    /// Tells the store that an agent has left, unless it is connected again: then it has the unacknowledged notifications
    /// that it had before.
    private func disconnect(_ agent: AgentID) async throws(GatewayError) {
        guard !sessions.withLock({ $0.isOpen(agent) }) else { return }
        let changes = try await store.call(in: agent.namespace) { try await $0.disconnect(agent, at: $1) }
        announce(changes, in: agent.namespace)
    }

    // MARK: Expiration

    /// Takes what has expired out of a namespace's inboxes.
    func expire(_ namespace: Namespace) async throws(GatewayError) {
        announce(try await store.call(in: namespace) { try await $0.expire(namespace, at: $1) }, in: namespace)
    }

    /// Takes what has expired out of every namespace that was used; a namespace whose store fails waits for the next time.
    func expireEverywhere() async {
        for namespace in active.withLock(\.self) { try? await expire(namespace) }
    }

    /// Notes that there may be something to expire in a namespace.
    func noteActive(_ namespace: Namespace) {
        active.withLock { _ = $0.insert(namespace) }
    }

    /// Ends the streams of a namespace that was reset, and those that follow its log.
    func reset(_ namespace: Namespace) {
        active.withLock { _ = $0.remove(namespace) }
        for signal in sessions.withLock({ $0.endAll(in: namespace) }) { signal(.ended(.reset)) }
        followers.end(.reset, in: namespace)
    }
}

/// What is left of handing a batch over to the open streams.
private final class Handover: Sendable {
    private let ends = Mutex<[TransientEnd]>([])

    /// The transient notifications that are dropped.
    var dropped: [TransientEnd] {
        ends.withLock { $0 }
    }

    func finish(with dropped: [TransientEnd]) {
        ends.withLock { $0 = dropped }
    }
}
