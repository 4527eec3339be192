import NIOCore
import WaypostSchema

@testable import Gateway
@testable import GatewayStore

extension StoredNotification {
    /// An example that has `sequence`.
    static func example(
        _ sequence: Int,
        batch: Int = 1,
        token: DeviceToken = "aa",
        topic: Topic = "com.example.clowntown",
        isTransient: Bool = false,
        payload: String = "{}"
    ) -> Self {
        let id = NotificationID(rawValue: "\(sequence)")
        let notification = NewNotification(
            id: id,
            token: token,
            topic: topic,
            expiration: isTransient ? 0 : nil,
            payload: Array(payload.utf8)
        )
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

extension DeviceSession.Moment {
    /// So many seconds after a test began.
    static func second(_ seconds: Int64) -> Self {
        Self(
            deadline: .uptimeNanoseconds(0) + .seconds(seconds),
            timestamp: Timestamp(milliseconds: Int(seconds) * 1_000)
        )
    }
}

extension DeviceSession {
    /// Sends what there is to send, reading the inbox that holds `inbox`, and returns the sequences.
    mutating func sendAll(from inbox: [Int] = [], at second: Int64 = 0) -> [Int] {
        var sent: [Int] = []
        while true {
            switch next(at: .second(second)) {
            case .wait: return sent
            case .send(let notifications): sent += notifications.map(\.sequence)
            case .read(let request):
                let page = StoredNotification.examples(inbox.filter { $0 > request.position }.prefix(request.limit))
                sent += send(page, of: request, at: .second(second)).map(\.sequence)
            }
        }
    }
}
