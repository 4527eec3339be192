import GatewayStore
import PushRules
import WaypostSchema

/// Short forms of calls, without the arguments that most tests do not need.
extension GatewayStore {
    func acknowledge(
        _ agent: AgentID,
        _ sequences: [Int],
        attempts: [Int: DeliveryAttempts] = [:],
        at now: Timestamp = .noon
    ) async throws(StoreError) -> StoreChanges {
        let notifications = sequences.map { AgentAcknowledgement.Notification(sequence: $0, attempts: attempts[$0]) }
        return try await acknowledge([AgentAcknowledgement(agent: agent, notifications: notifications, time: now)])
    }

    /// Closes one session; returns the changes, `nil` if it is not the agent's current one.
    func closeSession(
        _ agent: AgentID,
        _ epoch: SessionEpoch,
        attempts: [Int: DeliveryAttempts] = [:],
        ends: [TransientEnd] = [],
        at now: Timestamp = .noon
    ) async throws(StoreError) -> StoreChanges? {
        let closing = SessionClosing(agent: agent, epoch: epoch, attempts: attempts, ends: ends, time: now)
        return try await closeSessions([closing])[0]
    }

    /// Moves a namespace's manual clock to `now`, unless it shows a later time.
    func setClock(of namespace: Namespace, to now: Timestamp) async throws(StoreError) {
        _ = try await moveClock(of: namespace, startingAt: now) { _ in now }
    }
}

extension TransientEnd {
    /// Creates the end of a notification that was delivered.
    init(_ delivery: StreamDelivery, _ state: DeliveryState) {
        let (sequence, batch) = (delivery.notification.sequence, delivery.notification.batch)
        self.init(namespace: delivery.agent.namespace, sequence: sequence, batch: batch, state: state, at: .noon)
    }

    /// Creates the end of a notification that nobody has sent.
    static let unknown = Self(sequence: 1_000_000, batch: BatchNumber(rawValue: 9), state: .dropped, at: .noon)
}

extension NewBatch {
    init(
        id: BatchID,
        namespace: Namespace = .standard,
        notifications: [NewNotification],
        rejected: Int,
        isAtomic: Bool = false,
        key: IdempotencyKey? = nil,
        encodeAnswer: (@Sendable ([StoreRefusal?]) -> [UInt8])? = nil
    ) {
        self.init(
            id: id,
            namespace: namespace,
            notifications: notifications,
            rejections: Array(repeating: .example, count: rejected),
            isAtomic: isAtomic,
            key: key,
            encodeAnswer: encodeAnswer
        )
    }
}

extension RejectedItem {
    /// An item that could not be parsed.
    static let example = Self(
        subject: LogSubject(),
        rejection: Rejection(status: 400, reason: .badRequestPayload, message: "this is not JSON")
    )
}
