internal import GatewayStore
internal import LocalService
internal import Logging
internal import PushRules
internal import Synchronization
internal import WaypostSchema

/// Delivers notifications: keeps the store, the open streams and the waiters consistent.
///
/// Each method changes the store first, and then notifies the streams and waiters that the change affects. If a stream
/// closes while a notification for it is being stored, a later step detects this, so that no notification stays
/// unacknowledged without a stream.
final class DeliveryService: Sendable {
    let store: StoreAccess
    let metrics: GatewayMetrics
    let sessions: Mutex<DeviceSessions>

    /// Notifies waiters when a notification of a batch enters a final state.
    let batchChanges = ChangeNotifier<BatchNumber>()

    let followers = LogFollowers()
    let payloads = RecentPayloads()
    let followUps = FollowUps()
    let acknowledgements = AcknowledgementIntake()

    /// The sessions that are being opened: thousands of devices may connect at the same time.
    let openings = ConcurrencyLimiter(maximum: 64)

    /// The pages of inboxes that streams are reading.
    let pageReads = ConcurrencyLimiter(maximum: 32)

    /// The namespaces in which notifications may expire.
    private let activeNamespaces = Mutex<Set<Namespace>>([])

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
        let handover = Handover()
        let outcome: AppendOutcome
        do throws(GatewayError) {
            outcome = try await store.call(creating: batch.namespace) { store, now in
                try await store.append(batch, at: now) { appended in
                    handover.finish(with: self.passToStreams(appended, at: now))
                }
            }
        } catch {
            // If the outcome is unknown, the batch may be handed over later.
            recordActive(batch.namespace)
            handover.abandon { [followUps] in followUps.add(FollowUp(ends: $0)) }
            throw error
        }
        guard case .appended(let appended) = outcome else { return outcome }
        recordActive(batch.namespace)
        await announce(appended, of: batch.namespace, dropping: handover.dropped)
        metrics.recordRejected(batch.rejections.lazy.map { $0.rejection.reason ?? GatewayMetrics.noReason })
        metrics.recordRejected(appended.refusals.lazy.compactMap { $0?.reason })
        metrics.recordAccepted(batch.notifications, appended.refusals)
        payloads.record(batch, appended.refusals)
        return outcome
    }

    /// Passes payloads and nudges to the open streams, without reading the store.
    ///
    /// A nudge makes a stream read its inbox.
    ///
    /// - Parameters:
    ///   - appended: the accepted notifications.
    ///   - now: the current time.
    /// - Returns: the transient notifications that are dropped.
    private func passToStreams(_ appended: AppendedBatch, at now: Timestamp) -> [TransientEnd] {
        let agents = appended.changes.nudges.union(appended.deliveries.lazy.map(\.agent))
        guard !agents.isEmpty else { return [] }
        let (dropped, signals) = sessions.withLock { sessions in
            // A nudge may be for an older notification than a payload.
            sessions.recordNewNotifications(for: appended.changes.nudges)
            let dropped = sessions.add(appended.deliveries, at: now)
            return (dropped, sessions.signals(of: agents))
        }
        for signal in signals { signal(.somethingNew) }
        return dropped
    }

    /// Notifies followers and waiters of accepted notifications.
    private func announce(
        _ appended: AppendedBatch,
        of namespace: Namespace,
        dropping dropped: [TransientEnd]
    ) async {
        for (state, count) in appended.countsByState { metrics.recordNotifications(count, in: state) }
        if let sequences = appended.logSequences { followers.recordChanges(of: sequences, in: namespace) }
        var changes = appended.changes
        // The streams have the nudges already.
        changes.nudges = []
        announce(changes, in: namespace)
        await followUp(FollowUp(ends: dropped))
    }

    // MARK: Changes

    /// Notifies the streams, followers and waiters that changes in a namespace affect, and counts them.
    func announce(_ changes: StoreChanges, in namespace: Namespace) {
        notifyObservers(of: changes, in: namespace)
        for removal in changes.removals { metrics.recordNotifications(in: removal.state) }
    }

    /// Notifies the streams, followers and waiters that changes in a namespace affect.
    func notifyObservers(of changes: StoreChanges, in namespace: Namespace) {
        let (signals, attempts) = sessions.withLock { sessions in
            let attempts = sessions.remove(changes.removals)
            sessions.recordNewNotifications(for: changes.nudges)
            sessions.rewind(changes.rewinds)
            // Removals make room in the window of a stream that waits for acknowledgements.
            let waiting = Set(changes.removals.lazy.map(\.agent)).compactMap { sessions.signalIfBehind($0) }
            return (sessions.signals(of: changes.nudges.union(changes.rewinds)) + waiting, attempts)
        }
        for signal in signals { signal(.somethingNew) }
        var followUp = FollowUp()
        followUp.add(attempts, in: namespace)
        followUps.add(followUp)
        followers.recordChanges(of: changes.removals.lazy.map(\.sequence), in: namespace)
        batchChanges.notify(changes.settledBatches)
    }

    /// Ends the transient notifications that can no longer reach a device, because it accepts only `topics` now.
    func endTransient(
        of agent: AgentID,
        to token: DeviceToken,
        accepting topics: Set<Topic>,
        at now: Timestamp
    ) async {
        let ends = sessions.withLock { sessions in
            sessions.endTransient(of: agent, at: now) { $0.token == token && !topics.contains($0.topic) }
        }
        await followUp(FollowUp(ends: ends))
    }

    // MARK: Expiration

    /// Removes expired notifications from a namespace's inboxes.
    func expire(_ namespace: Namespace) async throws(GatewayError) {
        let changes = try await store.call(in: namespace) { try await $0.removeExpired(in: namespace, at: $1) }
        announce(changes, in: namespace)
    }

    /// Removes expired notifications in every active namespace; a namespace whose store fails is retried the next time.
    func expireInAllNamespaces() async {
        for namespace in activeNamespaces.withLock(\.self) { try? await expire(namespace) }
    }

    /// Records that notifications may expire in a namespace.
    func recordActive(_ namespace: Namespace) {
        activeNamespaces.withLock { _ = $0.insert(namespace) }
    }

    // MARK: Reset

    /// Deletes everything in a namespace; returns its streams, for `end`.
    func reset(_ namespace: Namespace) async throws(GatewayError) -> OutdatedStreams {
        // Before the deletion: a request that stores something after it records the namespace again.
        activeNamespaces.withLock { _ = $0.remove(namespace) }
        let logFollowers = followers.buffers(of: namespace)
        do throws(GatewayError) {
            let agents = try await store.call { try await $0.reset(namespace) }
            return OutdatedStreams(agents: agents, logFollowers: logFollowers)
        } catch {
            recordActive(namespace)
            throw error
        }
    }

    /// Ends the streams of a namespace that was reset.
    func end(_ streams: OutdatedStreams) {
        for signal in sessions.withLock({ $0.endAll(of: streams.agents) }) { signal(.ended(.reset)) }
        for buffer in streams.logFollowers { buffer.end(.reset) }
    }
}

/// The streams that end because their namespace was deleted.
struct OutdatedStreams: Sendable {
    /// The agents that the namespace had.
    let agents: Set<AgentID>

    /// The followers that the log had before the deletion began.
    let logFollowers: [LogChangeBuffer]
}

/// The result of passing a batch to the open streams.
private final class Handover: Sendable {
    private struct State {
        var dropped: [TransientEnd] = []
        var discard: (@Sendable ([TransientEnd]) -> Void)?
    }

    private let state = Mutex(State())

    /// The transient notifications that are dropped.
    var dropped: [TransientEnd] {
        state.withLock(\.dropped)
    }

    func finish(with dropped: [TransientEnd]) {
        let discard = state.withLock { state in
            state.dropped = dropped
            return state.discard
        }
        discard?(dropped)
    }

    /// Passes the result to `discard`, now or when it comes, because the caller no longer waits for it.
    func abandon(_ discard: @escaping @Sendable ([TransientEnd]) -> Void) {
        let dropped = state.withLock { state in
            state.discard = discard
            return state.dropped
        }
        if !dropped.isEmpty { discard(dropped) }
    }
}
