import GatewayStore
import WaypostSchema

extension StoredNotification {
    /// An example that has `sequence`.
    static func example(
        _ sequence: Int,
        batch: Int = 1,
        token: DeviceToken = "aa",
        topic: Topic = "com.example.clowntown"
    ) -> Self {
        let id = NotificationID(rawValue: "\(sequence)")
        let notification = NewNotification(id: id, token: token, topic: topic, payload: Array("{}".utf8))
        return Self(sequence: sequence, batch: BatchNumber(rawValue: batch), notification: notification)
    }

    /// Examples that have `sequences`.
    static func examples(_ sequences: some Sequence<Int>) -> [Self] {
        sequences.map { example($0) }
    }
}

extension AgentID {
    /// An example that has `number`.
    static func example(_ number: Int, in namespace: Namespace = .standard) -> Self {
        Self(namespace: namespace, number: number)
    }
}
