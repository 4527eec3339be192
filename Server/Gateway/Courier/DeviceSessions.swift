internal import GatewayStore
internal import NIOCore
internal import PushRules
internal import WaypostSchema

/// The open event streams, at most one per agent, as a value.
///
/// Transient notifications that were handed over or read exist only here; they end with the stream that they were sent
/// to.
struct DeviceSessions: Sendable {
    typealias Signal = DeviceSession.Signal

    /// A function that signals a stream.
    typealias SignalHandler = @Sendable (Signal) -> Void

    /// The notifications of a closed stream that the store must learn about.
    struct ClosingReport: Sendable, Equatable {
        /// The transient notifications, which are dropped.
        var ends: [TransientEnd]

        /// The times at which the other notifications were sent, by sequence.
        var attempts: [Int: DeliveryAttempts]
    }

    private let limits: SessionLimits
    private let redelivery: RedeliveryPolicy
    private var sessions: [AgentID: DeviceSession] = [:]

    /// The number of an agent's sessions that are being opened, and the latest session that is known meanwhile.
    private struct Openings {
        var count = 0
        var latestEpoch: SessionEpoch?
    }

    private var openings: [AgentID: Openings] = [:]

    /// The agent that each unacknowledged notification was sent to, by sequence.
    private var agentsBySequence: [Int: AgentID] = [:]

    /// The times at which notifications were sent on closed streams, or before they left their inboxes.
    ///
    /// `unstoredAttempts` are not in the store yet; `lastStoredAttempts` were stored last.
    private var unstoredAttempts: [Int: DeliveryAttempts] = [:]
    private var lastStoredAttempts: [Int: DeliveryAttempts] = [:]

    /// Creates the value without open streams.
    init(limits: SessionLimits = SessionLimits(), redelivery: RedeliveryPolicy = RedeliveryPolicy()) {
        self.limits = limits
        self.redelivery = redelivery
    }

    /// The number of open streams.
    var count: Int {
        sessions.count
    }

    /// The number of notifications that were sent and are not acknowledged.
    var unacknowledgedCount: Int {
        agentsBySequence.count
    }

    /// The epochs of the sessions with open streams.
    var epochs: [AgentID: SessionEpoch] {
        sessions.mapValues(\.epoch)
    }

    /// The sequences of the transient notifications that are here.
    var transientSequences: Set<Int> {
        Set(sessions.values.lazy.flatMap(\.transient).map(\.sequence))
    }

    /// Returns those of the `stored` sessions whose agents have no stream, and for which none is being opened.
    func sessionsWithoutStream(_ stored: [AgentID: SessionEpoch]) -> [AgentID: SessionEpoch] {
        stored.filter { sessions[$0.key] == nil && openings[$0.key] == nil }
    }

    /// Returns the function that signals a session's stream, if it is open.
    func signal(of agent: AgentID, _ epoch: SessionEpoch) -> SignalHandler? {
        guard let session = sessions[agent], session.epoch == epoch else { return nil }
        return session.signal
    }

    /// The functions that signal all open streams.
    var allSignals: [SignalHandler] {
        sessions.values.map(\.signal)
    }

    /// Whether an agent has an open stream.
    func hasStream(_ agent: AgentID) -> Bool {
        sessions[agent] != nil
    }

    /// Returns the functions that signal the open streams of `agents`.
    func signals(of agents: some Sequence<AgentID>) -> [SignalHandler] {
        agents.compactMap { sessions[$0]?.signal }
    }
}

// MARK: Listing

extension DeviceSessions {
    /// Returns the first `limit` streams of a namespace whose agents' numbers are above `number`,
    /// without their devices.
    ///
    /// - Complexity: O(n log n) for n open streams.
    func streams(after number: Int, limit: Int, in namespace: Namespace, at now: NIODeadline) -> [OpenStream] {
        let agents = sessions.keys.filter { $0.namespace == namespace && $0.number > number }
        return agents.sorted { $0.number < $1.number }.prefix(limit).compactMap { agent in
            sessions[agent].map { OpenStream(agent: agent.number, $0, at: now) }
        }
    }
}

extension OpenStream {
    fileprivate init(agent: Int, _ session: DeviceSession, at now: NIODeadline) {
        let age: TimeAmount = now - session.openedAt
        self.init(
            agent: agent,
            devices: [],
            age: Int(age.nanoseconds / 1_000_000),
            unacknowledged: session.sentNotifications.count + session.awaitingRedelivery.count
                + session.sentTransient.count,
            behind: session.isBehind
        )
    }
}

// MARK: Opening and closing

extension DeviceSessions {
    /// The result of opening a stream.
    enum OpenResult {
        /// The stream is open; the function signals the stream that it replaces.
        case opened(replacing: SignalHandler?)

        /// A later session of the agent is known, or its namespace was reset.
        case outdated
    }

    /// Records that a session of an agent is being opened in the store; `endOpening` must follow.
    mutating func beginOpening(_ agent: AgentID) {
        openings[agent, default: Openings()].count += 1
    }

    /// Records that a session that was being opened has a stream, or gets none.
    mutating func endOpening(_ agent: AgentID) {
        openings[agent]?.count -= 1
        if openings[agent]?.count == 0 { openings[agent] = nil }
    }

    /// Records that a session of an agent is open, so that earlier ones that are being opened get no stream; returns
    /// the function that signals the stream of an earlier one.
    @discardableResult
    mutating func recordSession(_ epoch: SessionEpoch, of agent: AgentID) -> SignalHandler? {
        if let opening = openings[agent] { openings[agent]?.latestEpoch = max(opening.latestEpoch ?? epoch, epoch) }
        guard let session = sessions[agent], session.epoch < epoch else { return nil }
        return session.signal
    }

    /// Opens a stream for a session that is being opened.
    ///
    /// - Parameters:
    ///   - agent: the agent whose stream it is.
    ///   - epoch: the epoch of the session.
    ///   - start: the sequence after which it resumes; 0 for everything in the inbox.
    ///   - now: the current time on the machine's clock.
    ///   - signal: signals the stream.
    /// - Returns: the result, with the function that signals the replaced stream.
    mutating func open(
        _ agent: AgentID,
        _ epoch: SessionEpoch,
        after start: Int,
        at now: NIODeadline,
        signal: @escaping SignalHandler
    ) -> OpenResult {
        let predecessor = sessions[agent]
        let latestEpoch = [openings[agent]?.latestEpoch, predecessor?.epoch].compactMap(\.self).max()
        if let latestEpoch, latestEpoch > epoch { return .outdated }
        recordSession(epoch, of: agent)
        sessions[agent] = DeviceSession(
            epoch: epoch,
            after: start,
            at: now,
            from: predecessor,
            limits: limits,
            redelivery: redelivery,
            signal: signal
        )
        return .opened(replacing: predecessor?.signal)
    }

    /// Closes a stream; `nil` if it is no longer the agent's stream.
    mutating func close(_ agent: AgentID, _ epoch: SessionEpoch, at moment: Timestamp) -> ClosingReport? {
        guard var session = sessions[agent], session.epoch == epoch else { return nil }
        sessions[agent] = nil
        let attempts = session.attempts
        let transient = session.endTransient { _ in true }
        for sequence in attempts.keys { agentsBySequence[sequence] = nil }
        addUnstoredAttempts(attempts)
        let ends = ends(of: transient, as: .dropped, in: agent.namespace, at: moment)
        return ClosingReport(ends: ends, attempts: attempts)
    }

    /// Ends every stream of agents that a reset has deleted, and returns the functions that signal them.
    ///
    /// Sessions that are being opened get no stream: their agents no longer exist.
    mutating func endAll(of agents: Set<AgentID>) -> [SignalHandler] {
        for agent in agents { openings[agent]?.latestEpoch = SessionEpoch(rawValue: .max) }
        agentsBySequence = agentsBySequence.filter { !agents.contains($0.value) }
        return agents.compactMap { sessions.removeValue(forKey: $0)?.signal }
    }
}

// MARK: New notifications

extension DeviceSessions {
    /// Adds notifications that were just accepted.
    ///
    /// - Parameters:
    ///   - deliveries: the notifications, in order.
    ///   - moment: the current time.
    /// - Returns: the transient notifications that are dropped, because their stream has closed or has no room.
    mutating func add(_ deliveries: [StreamDelivery], at moment: Timestamp) -> [TransientEnd] {
        var droppedNotifications: [(StoredNotification, DeliveryAttempts?)] = []
        for delivery in deliveries {
            let isAdded =
                withSharedLimits(of: delivery.agent) { $0.add(delivery.notification) }
                ?? !delivery.notification.notification.isTransient
            if !isAdded { droppedNotifications.append((delivery.notification, nil)) }
        }
        guard let namespace = deliveries.first?.agent.namespace else { return [] }
        return ends(of: droppedNotifications, as: .dropped, in: namespace, at: moment)
    }

    /// Records that the inboxes of `agents` may contain notifications that their streams have not sent.
    mutating func recordNewNotifications(for agents: some Sequence<AgentID>) {
        for agent in agents { sessions[agent]?.recordNewNotifications() }
    }

    /// Records that the inboxes of agents have notifications up to `sequences`; returns the functions that signal the
    /// streams that have not read so far.
    mutating func recordNewNotifications(upTo sequences: [AgentID: Int]) -> [SignalHandler] {
        sequences.compactMap { agent, sequence in
            sessions[agent]?.recordNewNotifications(upTo: sequence) == true ? sessions[agent]?.signal : nil
        }
    }

    /// Makes every stream read its inbox from the start again, and returns the functions that signal them.
    mutating func rewindAll() -> [SignalHandler] {
        for index in sessions.values.indices { sessions.values[index].rewind() }
        return sessions.values.map(\.signal)
    }

    /// Makes the streams of `agents` read their inboxes from the start again.
    mutating func rewind(_ agents: some Sequence<AgentID>) {
        for agent in agents { sessions[agent]?.rewind() }
    }
}

// MARK: Sending

extension DeviceSessions {
    /// Returns the next step of a stream and records the notifications to send as sent.
    ///
    /// Returns `nil` if the stream is no longer the agent's stream.
    mutating func next(
        _ agent: AgentID,
        _ epoch: SessionEpoch,
        at time: DeviceSession.SendTime
    ) -> DeviceSession.Step? {
        guard sessions[agent]?.epoch == epoch, let step = withSharedLimits(of: agent, { $0.next(at: time) }) else {
            return nil
        }
        if case .send(let notifications) = step { recordSent(notifications, to: agent) }
        return step
    }

    /// Returns the notifications of a requested page that the stream sends now, recorded as sent.
    mutating func receive(
        _ page: [StoredNotification],
        for request: DeviceSession.PageRequest,
        of agent: AgentID,
        _ epoch: SessionEpoch,
        at time: DeviceSession.SendTime
    ) -> [StoredNotification] {
        guard sessions[agent]?.epoch == epoch else { return [] }
        let notificationsToSend = withSharedLimits(of: agent) { $0.receive(page, for: request, at: time) } ?? []
        recordSent(notificationsToSend, to: agent)
        return notificationsToSend
    }

    /// Records that a requested page could not be read.
    mutating func recordReadFailure(_ agent: AgentID, _ epoch: SessionEpoch) {
        guard sessions[agent]?.epoch == epoch else { return }
        sessions[agent]?.recordReadFailure()
    }

    /// Marks the notifications of a stream whose time of redelivery has come to be sent again.
    mutating func markOverdueForRedelivery(_ agent: AgentID, _ epoch: SessionEpoch, at now: NIODeadline) {
        guard sessions[agent]?.epoch == epoch else { return }
        _ = sessions[agent]?.markOverdueForRedelivery(at: now)
    }

    /// Returns the function that signals an agent's stream, if it has more to send.
    func signalIfBehind(_ agent: AgentID) -> SignalHandler? {
        guard let session = sessions[agent], session.isBehind else { return nil }
        return session.signal
    }

    /// Whether a stream can send nothing until notifications are acknowledged.
    func isWindowFull(_ agent: AgentID, _ epoch: SessionEpoch) -> Bool {
        guard let session = sessions[agent], session.epoch == epoch else { return false }
        return session.isWindowFull
    }

    /// Changes an agent's stream, whose share of the memory depends on the number of streams; `nil` if it has none.
    private mutating func withSharedLimits<Value>(
        of agent: AgentID,
        _ change: (inout DeviceSession) -> Value
    ) -> Value? {
        guard let index = sessions.index(forKey: agent) else { return nil }
        sessions.values[index].limits = limits.shared(among: sessions.count)
        return change(&sessions.values[index])
    }

    private mutating func recordSent(_ notifications: [StoredNotification], to agent: AgentID) {
        for notification in notifications { agentsBySequence[notification.sequence] = agent }
    }

    /// Whether a notification was sent and is not acknowledged.
    func isInFlight(_ sequence: Int) -> Bool {
        agentsBySequence[sequence] != nil
    }

    /// Returns the times at which `sequences` were sent; sequences that are not in flight are absent.
    func attempts(of sequences: some Sequence<Int>) -> [Int: DeliveryAttempts] {
        var attempts: [Int: DeliveryAttempts] = [:]
        for sequence in sequences {
            guard let agent = agentsBySequence[sequence] else { continue }
            attempts[sequence] = sessions[agent]?.attempts(of: sequence)
        }
        return attempts
    }

    /// Returns the times at which a notification was sent, most likely to `agent`; `nil` if it is not in flight.
    func attempts(of sequence: Int, to agent: AgentID) -> DeliveryAttempts? {
        sessions[agent]?.attempts(of: sequence)
            ?? agentsBySequence[sequence].flatMap { sessions[$0]?.attempts(of: sequence) }
    }

    /// Returns the number of sent, unacknowledged notifications of a batch: from inboxes, and transient ones.
    ///
    /// - Complexity: O(number of unacknowledged notifications).
    func unacknowledgedCounts(of batch: BatchNumber) -> (stored: Int, transient: Int) {
        sessions.values.reduce((0, 0)) { sum, session in
            (
                sum.0 + session.sentNotifications.values.count { $0.batch == batch }
                    + session.awaitingRedelivery.values.count { $0.batch == batch },
                sum.1 + session.sentTransient.values.count { $0.notification.batch == batch }
            )
        }
    }
}

// MARK: Acknowledging and removing

extension DeviceSessions {
    /// Returns the sequences that a cumulative acknowledgement of an agent covers.
    func sequencesCovered(by agent: AgentID, upTo sequence: Int) -> [Int] {
        sessions[agent]?.sequencesCovered(upTo: sequence) ?? []
    }

    /// Records that an agent acknowledges `sequences`; returns the transient notifications among them.
    ///
    /// All of them are removed, even those that are no longer in the inbox: a notification may have left it while it
    /// was being sent.
    mutating func acknowledge(
        _ agent: AgentID,
        _ sequences: some Collection<Int>,
        at moment: Timestamp
    ) -> [TransientEnd] {
        for sequence in sequences {
            if let recipient = agentsBySequence.removeValue(forKey: sequence), recipient != agent {
                agentsBySequence[sequence] = recipient
            }
        }
        let transientNotifications = sessions[agent]?.acknowledge(sequences) ?? []
        guard !transientNotifications.isEmpty else { return [] }
        return ends(
            of: transientNotifications.map { ($0.notification, $0.attempts) },
            as: .acknowledged,
            in: agent.namespace,
            at: moment
        )
    }

    /// Ends the transient notifications for a device that no longer accepts them.
    mutating func endTransient(
        of agent: AgentID,
        at moment: Timestamp,
        where isEnding: (NewNotification) -> Bool
    ) -> [TransientEnd] {
        let endedNotifications = sessions[agent]?.endTransient { isEnding($0.notification) } ?? []
        return ends(of: endedNotifications, as: .unregistered, in: agent.namespace, at: moment)
    }

    /// Removes notifications that left their inboxes; returns the times at which they were sent.
    mutating func remove(_ removals: [StoreChanges.Removal]) -> [Int: DeliveryAttempts] {
        var attempts: [Int: DeliveryAttempts] = [:]
        for removal in removals {
            agentsBySequence[removal.sequence] = nil
            attempts[removal.sequence] = sessions[removal.agent]?.remove(removal.sequence)
        }
        addUnstoredAttempts(attempts)
        return attempts
    }

    private mutating func addUnstoredAttempts(_ attempts: [Int: DeliveryAttempts]) {
        unstoredAttempts.merge(attempts) { earlier, later in
            var attempts = earlier
            attempts.merge(later)
            return attempts
        }
    }

    /// Records that the store has the times at which `sequences` were sent.
    ///
    /// They are remembered until the next call, for a caller that read the store just before.
    mutating func recordStoredAttempts(of sequences: some Sequence<Int>) {
        lastStoredAttempts = [:]
        for sequence in sequences {
            lastStoredAttempts[sequence] = unstoredAttempts.removeValue(forKey: sequence)
        }
    }

    /// Returns the times at which a notification was sent that the store may not have yet.
    func pastAttempts(of sequence: Int) -> DeliveryAttempts? {
        unstoredAttempts[sequence] ?? lastStoredAttempts[sequence]
    }

    private mutating func ends(
        of transient: [(StoredNotification, DeliveryAttempts?)],
        as state: DeliveryState,
        in namespace: Namespace,
        at moment: Timestamp
    ) -> [TransientEnd] {
        transient.map { notification, attempts in
            agentsBySequence[notification.sequence] = nil
            return TransientEnd(
                namespace: namespace,
                sequence: notification.sequence,
                batch: notification.batch,
                state: state,
                at: moment,
                attempts: attempts
            )
        }
    }
}
