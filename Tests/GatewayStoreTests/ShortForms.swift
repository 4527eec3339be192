import Delivery
import GatewayStore
import WaypostSchema

/// Calls without what most tests do not look at.
extension GatewayStore {
    func acknowledge(
        _ agent: AgentID,
        _ sequences: [Int],
        attempts: [Int: DeliveryAttempts] = [:]
    ) async throws(StoreError) -> StoreChanges {
        try await acknowledge(agent, sequences, attempts: attempts, at: .noon)
    }

    func disconnect(_ agent: AgentID) async throws(StoreError) -> StoreChanges {
        try await disconnect(agent, at: .noon)
    }
}

extension TransientEnd {
    /// The end of a notification of a batch of which it does not matter which it is.
    init(_ batch: BatchNumber, _ state: DeliveryState, in namespace: Namespace = .standard) {
        self.init(namespace: namespace, sequence: 0, batch: batch, state: state, at: .noon)
    }
}

extension NewBatch {
    init(
        id: BatchID,
        namespace: Namespace = .standard,
        notifications: [NewNotification],
        rejected: Int,
        isAtomic: Bool = false,
        key: IdempotencyKey? = nil,
        makeRecord: (@Sendable ([StoreRefusal?]) -> [UInt8])? = nil
    ) {
        self.init(
            id: id,
            namespace: namespace,
            notifications: notifications,
            rejections: Array(repeating: .example, count: rejected),
            isAtomic: isAtomic,
            key: key,
            makeRecord: makeRecord
        )
    }
}

extension RejectedItem {
    /// What could not be read at all.
    static let example = Self(
        subject: LogSubject(),
        rejection: Rejection(status: 400, reason: .badRequestPayload, message: "this is not JSON")
    )
}
