import Delivery
import GatewayStore
import WaypostSchema

/// Short forms of calls, without the arguments that most tests do not need.
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
    /// Creates the end of an arbitrary notification of a batch.
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
    /// An item that could not be parsed.
    static let example = Self(
        subject: LogSubject(),
        rejection: Rejection(status: 400, reason: .badRequestPayload, message: "this is not JSON")
    )
}
