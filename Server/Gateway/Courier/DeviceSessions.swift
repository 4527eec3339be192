internal import Delivery
internal import GatewayStore
internal import NIOCore
internal import WaypostSchema

/// The open event streams, at most one an agent, as a value.
///
/// What is now or never is here and nowhere else; it ends with the stream that it was meant for.
struct DeviceSessions: Sendable {
    typealias Signal = DeviceSession.Signal

    /// How to signal a stream.
    typealias SignalTo = @Sendable (Signal) -> Void

    /// What is left when a stream closes.
    struct Closing: Sendable, Equatable {
        /// What was now or never and is dropped with it.
        var ends: [TransientEnd]

        /// When and how often the rest was sent, by sequence.
        var attempts: [Int: DeliveryAttempts]
    }

    private let limits: SessionLimits
    private let redelivery: RedeliveryPolicy
    private var sessions: [AgentID: DeviceSession] = [:]
    private var lastNumber = 0

    /// How often a namespace was reset: an agent that was looked up before that may be gone.
    private(set) var resetCount = 0

    /// Whose stream each notification was sent on that is not acknowledged.
    private var carriers: [Int: AgentID] = [:]

    /// When and how often notifications were sent on streams that have closed, or before they left their inboxes: the store is yet
    /// to be told, or was told last.
    private var unreported: [Int: DeliveryAttempts] = [:]
    private var lastReported: [Int: DeliveryAttempts] = [:]

    /// Creates no streams.
    init(limits: SessionLimits = SessionLimits(), redelivery: RedeliveryPolicy = RedeliveryPolicy()) {
        self.limits = limits
        self.redelivery = redelivery
    }

    /// The agents whose streams are open.
    var openAgents: Set<AgentID> {
        Set(sessions.keys)
    }

    /// Whether an agent's stream is open.
    func isOpen(_ agent: AgentID) -> Bool {
        sessions[agent] != nil
    }

    /// How many streams are open.
    var count: Int {
        sessions.count
    }

    /// How many notifications were sent and are not acknowledged.
    var sentCount: Int {
        carriers.count
    }

    /// How to signal the streams of `agents`.
    func signals(of agents: some Sequence<AgentID>) -> [SignalTo] {
        agents.compactMap { sessions[$0]?.signal }
    }
}

// MARK: Opening and closing

extension DeviceSessions {
    /// Opens a stream.
    ///
    /// - Parameters:
    ///   - agent: whose stream it is.
    ///   - start: the sequence that it resumes behind; 0 for everything in the inbox.
    ///   - now: the present moment on the machine's clock.
    ///   - signal: how to signal it.
    /// - Returns: the stream's number, and how to signal the one whose place it takes.
    mutating func open(
        _ agent: AgentID,
        after start: Int,
        at now: NIODeadline,
        signal: @escaping SignalTo
    ) -> (number: Int, predecessor: SignalTo?) {
        lastNumber += 1
        let predecessor = sessions[agent]
        sessions[agent] = DeviceSession(
            number: lastNumber,
            after: start,
            at: now,
            from: predecessor,
            limits,
            redelivery,
            signal: signal
        )
        return (lastNumber, predecessor?.signal)
    }

    /// Closes a stream; `nil` where it was not the agent's any more.
    mutating func close(_ agent: AgentID, number: Int, at moment: Timestamp) -> Closing? {
        guard var session = sessions[agent], session.number == number else { return nil }
        sessions[agent] = nil
        let attempts = session.attempts
        let transient = session.endTransient { _ in true }
        for sequence in attempts.keys { carriers[sequence] = nil }
        remember(attempts)
        return Closing(ends: ends(of: transient, as: .dropped, in: agent.namespace, at: moment), attempts: attempts)
    }

    /// Ends every stream of a namespace; returns how to signal them.
    mutating func endAll(in namespace: Namespace) -> [SignalTo] {
        resetCount += 1
        let ended = sessions.filter { $0.key.namespace == namespace }
        for agent in ended.keys { sessions[agent] = nil }
        carriers = carriers.filter { $0.value.namespace != namespace }
        return ended.values.map(\.signal)
    }
}

// MARK: What comes

extension DeviceSessions {
    /// Takes in what has just been accepted.
    ///
    /// - Parameters:
    ///   - deliveries: what it is, in order.
    ///   - moment: the present moment.
    /// - Returns: what is now or never and is dropped, its stream having closed meanwhile, or having no room.
    mutating func add(_ deliveries: [StreamDelivery], at moment: Timestamp) -> [TransientEnd] {
        var dropped: [(StoredNotification, DeliveryAttempts?)] = []
        for delivery in deliveries {
            let isTaken =
                sessions[delivery.agent]?.add(delivery.notification) ?? !delivery.notification.notification.isTransient
            if !isTaken { dropped.append((delivery.notification, nil)) }
        }
        return deliveries.first.map { ends(of: dropped, as: .dropped, in: $0.agent.namespace, at: moment) } ?? []
    }

    /// Notes that inboxes of `agents` may hold something that their streams have not sent.
    mutating func noteNew(for agents: some Sequence<AgentID>) {
        for agent in agents { sessions[agent]?.noteNew() }
    }

    /// Lets an agent's stream read its inbox from the start again.
    mutating func rewind(_ agent: AgentID) {
        sessions[agent]?.rewind()
    }
}

// MARK: What is sent

extension DeviceSessions {
    /// Returns what a stream does next, and notes as sent what it sends; `nil` where it is not the agent's any more.
    mutating func next(_ agent: AgentID, number: Int, at moment: DeviceSession.Moment) -> DeviceSession.Step? {
        guard sessions[agent]?.number == number, let step = sessions[agent]?.next(at: moment) else { return nil }
        if case .send(let notifications) = step { noteSent(notifications, to: agent) }
        return step
    }

    /// Returns what is to be sent on a stream, given a page that it asked for, and notes it as sent.
    mutating func send(
        _ page: [StoredNotification],
        of request: DeviceSession.PageRequest,
        to agent: AgentID,
        number: Int,
        at moment: DeviceSession.Moment
    ) -> [StoredNotification] {
        guard sessions[agent]?.number == number else { return [] }
        let fresh = sessions[agent]?.send(page, of: request, at: moment) ?? []
        noteSent(fresh, to: agent)
        return fresh
    }

    /// Notes that a page that a stream asked for could not be read.
    mutating func cancelReading(_ agent: AgentID, number: Int) {
        guard sessions[agent]?.number == number else { return }
        sessions[agent]?.cancelReading()
    }

    /// Lets what a stream sent long enough ago be sent again; returns how much that is.
    mutating func takeDue(_ agent: AgentID, number: Int, at now: NIODeadline) -> Int {
        guard sessions[agent]?.number == number else { return 0 }
        return sessions[agent]?.takeDue(at: now).count ?? 0
    }

    /// How to signal an agent's stream, where it has more to send.
    func signalOfStreamBehind(_ agent: AgentID) -> SignalTo? {
        guard let session = sessions[agent], session.isBehind else { return nil }
        return session.signal
    }

    /// Whether a stream waits for acknowledgements alone.
    func isWindowFull(_ agent: AgentID, number: Int) -> Bool {
        guard let session = sessions[agent], session.number == number else { return false }
        return session.isWindowFull
    }

    private mutating func noteSent(_ notifications: [StoredNotification], to agent: AgentID) {
        for notification in notifications { carriers[notification.sequence] = agent }
    }

    /// When and how often each of `sequences` was sent that is not acknowledged; the others are absent.
    func attempts(of sequences: some Sequence<Int>) -> [Int: DeliveryAttempts] {
        var attempts: [Int: DeliveryAttempts] = [:]
        for sequence in sequences {
            guard let agent = carriers[sequence] else { continue }
            attempts[sequence] = sessions[agent]?.attempts(of: sequence)
        }
        return attempts
    }

    /// How many notifications of a batch were sent and not acknowledged: out of inboxes, and of what is now or never.
    ///
    /// - Complexity: O(what was sent and not acknowledged).
    func sentCounts(of batch: BatchNumber) -> (stored: Int, transient: Int) {
        sessions.values.reduce((0, 0)) { sum, session in
            (
                sum.0 + session.sent.values.count { $0.batch == batch }
                    + session.again.values.count { $0.batch == batch },
                sum.1 + session.sentTransient.values.count { $0.notification.batch == batch }
            )
        }
    }
}

// MARK: What leaves

extension DeviceSessions {
    /// The sequences that a cumulative acknowledgement of an agent covers.
    func covered(_ agent: AgentID, upTo sequence: Int) -> [Int] {
        sessions[agent]?.covered(upTo: sequence) ?? []
    }

    /// Notes that an agent acknowledges `sequences`; returns what of it was now or never.
    ///
    /// All of them are forgotten, whether they were in the inbox or not: one may have left it while it was being sent.
    mutating func acknowledge(_ agent: AgentID, _ sequences: [Int], at moment: Timestamp) -> [TransientEnd] {
        for sequence in sequences where carriers[sequence] == agent { carriers[sequence] = nil }
        for sequence in sequences { sessions[agent]?.forget(sequence) }
        let acknowledged = (sessions[agent]?.acknowledgeTransient(sequences) ?? []).map {
            ($0.notification, $0.attempts as DeliveryAttempts?)
        }
        return ends(of: acknowledged, as: .acknowledged, in: agent.namespace, at: moment)
    }

    /// Takes out of the air what is now or never and was meant for a device that does not take it any more.
    mutating func endTransient(
        of agent: AgentID,
        at moment: Timestamp,
        where isEnding: (NewNotification) -> Bool
    ) -> [TransientEnd] {
        let ended = sessions[agent]?.endTransient { isEnding($0.notification) } ?? []
        return ends(of: ended, as: .unregistered, in: agent.namespace, at: moment)
    }

    /// Forgets what left inboxes; returns when and how often it was sent.
    mutating func forget(_ removals: [StoreChanges.Removal]) -> [Int: DeliveryAttempts] {
        var attempts: [Int: DeliveryAttempts] = [:]
        for removal in removals {
            carriers[removal.sequence] = nil
            attempts[removal.sequence] = sessions[removal.agent]?.forget(removal.sequence)
        }
        remember(attempts)
        return attempts
    }

    private mutating func remember(_ attempts: [Int: DeliveryAttempts]) {
        unreported.merge(attempts) { earlier, later in
            var attempts = earlier
            attempts.append(later)
            return attempts
        }
    }

    /// Notes that the store was told when and how often `sequences` were sent.
    ///
    /// They are remembered until the next time, for who read the store just before.
    mutating func noteReported(_ sequences: some Sequence<Int>) {
        lastReported = [:]
        for sequence in sequences { lastReported[sequence] = unreported.removeValue(forKey: sequence) }
    }

    /// When and how often something was sent that the store may not have been told of.
    func pastAttempts(of sequence: Int) -> DeliveryAttempts? {
        unreported[sequence] ?? lastReported[sequence]
    }

    private mutating func ends(
        of transient: [(StoredNotification, DeliveryAttempts?)],
        as state: DeliveryState,
        in namespace: Namespace,
        at moment: Timestamp
    ) -> [TransientEnd] {
        transient.map { notification, attempts in
            carriers[notification.sequence] = nil
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
