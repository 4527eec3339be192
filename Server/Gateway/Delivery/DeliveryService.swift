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

    /// The number of sessions that are closed at the same time.
    private static let closingsAtOnce = 500

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
        let handover = Handover()
        let outcome = try await store.call(in: batch.namespace) { store, now in
            try await store.append(batch, at: now) { appended in
                handover.finish(with: self.handOver(appended, at: now))
            }
        }
        guard case .appended(let appended) = outcome else { return outcome }
        await announce(appended, of: batch.namespace, dropping: handover.dropped)
        metrics.noteRejected(batch.rejections.lazy.map(\.rejection.reason))
        metrics.noteRejected(appended.refusals.lazy.compactMap { $0?.rejection.reason })
        metrics.noteAccepted(zip(batch.notifications, appended.refusals).lazy.filter { $1 == nil }.map { $0.0 })
        return outcome
    }

    /// Passes payloads and nudges to the open streams, without reading the store.
    ///
    /// - Parameters:
    ///   - appended: the accepted notifications.
    ///   - now: the current time.
    /// - Returns: the transient notifications that are dropped.
    private func handOver(_ appended: Appended, at now: Timestamp) -> [TransientEnd] {
        let agents = appended.changes.nudges.union(appended.deliveries.lazy.map(\.agent))
        guard !agents.isEmpty else { return [] }
        let (dropped, signals) = sessions.withLock { sessions in
            let dropped = sessions.add(appended.deliveries, at: now)
            sessions.noteNew(for: appended.changes.nudges)
            return (dropped, sessions.signals(of: agents))
        }
        for signal in signals { signal(.somethingNew) }
        return dropped
    }

    /// Notifies all others of accepted notifications.
    private func announce(
        _ appended: Appended,
        of namespace: Namespace,
        dropping dropped: [TransientEnd]
    ) async {
        for (state, count) in appended.arrivals { metrics.note(count, in: state) }
        if let logged = appended.logged { followers.note(logged, in: namespace) }
        var changes = appended.changes
        // They were handed over.
        changes.nudges = []
        announce(changes, in: namespace)
        await followUp(FollowUp(ends: dropped))
    }

    // MARK: Follow-up work

    /// Notifies the streams, followers and waiters that changes in a namespace affect, and counts them.
    func announce(_ changes: StoreChanges, in namespace: Namespace) {
        spread(changes, in: namespace)
        for removal in changes.removals { metrics.note(in: removal.state) }
    }

    /// Notifies the streams, followers and waiters that changes in a namespace affect.
    func spread(_ changes: StoreChanges, in namespace: Namespace) {
        let (signals, attempts) = sessions.withLock { sessions in
            let attempts = sessions.forget(changes.removals)
            sessions.noteNew(for: changes.nudges)
            return (sessions.signals(of: changes.nudges), attempts)
        }
        for signal in signals { signal(.somethingNew) }
        var followUp = FollowUp()
        followUp.add(attempts, in: namespace)
        followUps.add(followUp)
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
    ///
    /// Sessions are closed before anything else is recorded: a session that is not current leaves its work to the rest.
    func attempt(_ followUp: FollowUp) async -> FollowUp {
        var rest = await close(followUp.closings)
        rest.ends += followUp.ends
        for (namespace, attempts) in followUp.attempts { rest.add(attempts, in: namespace) }
        do throws(GatewayError) {
            for (namespace, attempts) in rest.attempts {
                // If it is not known whether the store counted them, a second time could count them twice.
                do { try await note(attempts, in: namespace) } catch .store(.unknown) {}
                rest.attempts[namespace] = nil
            }
            try await settle(rest.ends)
            rest.ends = []
        } catch {}
        return rest
    }

    /// Closes sessions in the store, many at a time, so that they share commits.
    ///
    /// - Returns: the sessions that the store did not accept, and what those that were no longer current leave.
    private func close(_ closings: [FollowUp.Closing]) async -> FollowUp {
        var rest = FollowUp()
        for start in stride(from: 0, to: closings.count, by: Self.closingsAtOnce) {
            let some = closings[start..<min(start + Self.closingsAtOnce, closings.count)]
            await withTaskGroup(of: FollowUp.self) { group in
                for closing in some { group.addTask { await self.close(closing) } }
                for await left in group { rest.append(left) }
            }
        }
        return rest
    }

    private func close(_ closing: FollowUp.Closing) async -> FollowUp {
        let (agent, namespace) = (closing.agent, closing.agent.namespace)
        var rest = FollowUp()
        do throws(GatewayError) {
            let changes = try await store.call(in: namespace) { store, now in
                let (attempts, ends) = (closing.left.attempts, closing.left.ends)
                return try await store.closeSession(agent, closing.epoch, attempts: attempts, ends: ends, at: now)
            }
            if let changes {
                noteStored(closing.left.attempts, in: namespace)
                noteStored(closing.left.ends)
                announce(changes, in: namespace)
            } else {
                rest.ends = closing.left.ends
                rest.add(closing.left.attempts, in: namespace)
            }
        } catch {
            var closing = closing
            // If the store did it, a second time would count the attempts twice.
            if error == .store(.unknown) { closing.left.attempts = [:] }
            rest.closings = [closing]
        }
        return rest
    }

    /// Counts transient notifications in their final states.
    private func settle(_ ends: [TransientEnd]) async throws(GatewayError) {
        guard !ends.isEmpty else { return }
        try await store.call { try await $0.settle(ends) }
        noteStored(ends)
    }

    /// Stores in the log when notifications were sent.
    private func note(_ attempts: [Int: DeliveryAttempts], in namespace: Namespace) async throws(GatewayError) {
        try await store.call { try await $0.note(attempts, in: namespace) }
        noteStored(attempts, in: namespace)
    }

    /// Notifies waiters and followers that the store has counted the ends of transient notifications.
    private func noteStored(_ ends: [TransientEnd]) {
        for end in ends {
            metrics.note(in: end.state)
            followers.note([end.sequence], in: end.namespace)
        }
        batches.notify(Set(ends.map(\.batch)))
    }

    /// Notifies followers that the store has the times at which notifications were sent.
    private func noteStored(_ attempts: [Int: DeliveryAttempts], in namespace: Namespace) {
        guard !attempts.isEmpty else { return }
        sessions.withLock { $0.noteReported(attempts.keys) }
        followers.note(attempts.keys, in: namespace)
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
