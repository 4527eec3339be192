internal import Delivery
internal import GatewayStore
internal import LocalService
internal import Logging
internal import Synchronization
internal import WaypostSchema

/// Delivers notifications: keeps the store, the open streams and the waiters consistent.
///
/// Each method changes the store first, and then notifies the streams and waiters that the change affects. If a stream
/// closes while a notification for it is being stored, a later step finds it, so that no notification stays
/// unacknowledged without a stream.
final class DeliveryService: Sendable {
    let store: StoreAccess
    let metrics: GatewayMetrics
    let sessions: Mutex<DeviceSessions>

    /// Waiters for batches with a notification that enters a final state.
    let batches = ChangeNotifier<BatchNumber>()

    let followers = LogFollowers()
    let followUps = FollowUps()

    /// The namespaces in which notifications may expire.
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

    // MARK: Accepting batches

    /// Stores a batch; on return, accepted notifications are durable and in flight to the connected devices.
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

    /// Passes accepted notifications to the open streams, without reading the store.
    ///
    /// - Parameters:
    ///   - appended: the accepted notifications.
    ///   - now: the current time.
    /// - Returns: the transient notifications that are dropped.
    private func handOver(_ appended: Appended, at now: Timestamp) -> [TransientEnd] {
        guard !appended.deliveries.isEmpty else { return [] }
        let (dropped, signals) = sessions.withLock { sessions in
            (sessions.add(appended.deliveries, at: now), sessions.signals(of: Set(appended.deliveries.map(\.agent))))
        }
        for signal in signals { signal(.somethingNew) }
        return dropped
    }

    /// Notifies all others of accepted notifications.
    private func announce(
        _ appended: Appended,
        of namespace: Namespace,
        connected: Set<AgentID>,
        dropping dropped: [TransientEnd]
    ) async {
        for (state, count) in appended.arrivals { metrics.note(count, in: state) }
        if let logged = appended.logged { followers.note(logged, in: namespace) }
        var changes = appended.changes
        // The connected agents already have their notifications; the others may have connected since.
        changes.agents.subtract(connected)
        announce(changes, in: namespace)
        await followUp(FollowUp(ends: dropped))
        let leaving = appended.changes.agents.intersection(connected)
        guard !leaving.isEmpty else { return }
        await followUp(FollowUp(leaving: leaving.subtracting(sessions.withLock { $0.openAgents })))
    }

    // MARK: Follow-up work

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

    /// Runs the follow-up work of a committed change; if the store fails, it is retried later.
    ///
    /// The change itself has not failed then.
    func followUp(_ followUp: FollowUp) async {
        followUps.add(await attempt(followUp))
    }

    /// Runs follow-up work and returns the part of it that the store did not accept.
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

    /// Stores in the log when notifications were sent.
    private func note(_ attempts: [Int: DeliveryAttempts], in namespace: Namespace) async throws(GatewayError) {
        try await store.call { try await $0.note(attempts, in: namespace) }
        sessions.withLock { $0.noteReported(attempts.keys) }
        followers.note(attempts.keys, in: namespace)
    }

    /// Records in the store that an agent has disconnected, unless it has connected again.
    ///
    /// An agent that has connected again keeps its unacknowledged notifications.
    private func disconnect(_ agent: AgentID) async throws(GatewayError) {
        guard !sessions.withLock({ $0.isOpen(agent) }) else { return }
        let changes = try await store.call(in: agent.namespace) { try await $0.disconnect(agent, at: $1) }
        announce(changes, in: agent.namespace)
    }

    // MARK: Expiration

    /// Removes expired notifications from a namespace's inboxes.
    func expire(_ namespace: Namespace) async throws(GatewayError) {
        announce(try await store.call(in: namespace) { try await $0.expire(namespace, at: $1) }, in: namespace)
    }

    /// Removes expired notifications in every active namespace; a namespace whose store fails is retried the next time.
    func expireEverywhere() async {
        for namespace in active.withLock(\.self) { try? await expire(namespace) }
    }

    /// Records that notifications may expire in a namespace.
    func noteActive(_ namespace: Namespace) {
        active.withLock { _ = $0.insert(namespace) }
    }

    /// Ends the event streams and log streams of a namespace that was reset.
    func reset(_ namespace: Namespace) {
        active.withLock { _ = $0.remove(namespace) }
        for signal in sessions.withLock({ $0.endAll(in: namespace) }) { signal(.ended(.reset)) }
        followers.end(.reset, in: namespace)
    }
}

/// The result of passing a batch to the open streams.
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
