import NIOCore
import WaypostSchema

@testable import Gateway
@testable import GatewayStore

extension StoredNotification {
    /// Returns an example with the given sequence.
    static func example(
        _ sequence: Int,
        batch: Int = 1,
        token: DeviceToken = "aa",
        topic: Topic = "com.example.clowntown",
        isTransient: Bool = false,
        expiration: Int? = nil,
        payload: String = "{}"
    ) -> Self {
        let id = NotificationID(rawValue: "\(sequence)")
        let notification = NewNotification(
            id: id,
            token: token,
            topic: topic,
            expiration: isTransient ? 0 : expiration,
            payload: Array(payload.utf8)
        )
        return Self(sequence: sequence, batch: BatchNumber(rawValue: batch), notification: notification)
    }

    /// Returns examples with the given sequences.
    static func examples(_ sequences: some Sequence<Int>) -> [Self] {
        sequences.map { example($0) }
    }
}

extension AgentID {
    /// Returns an example with the given number.
    static func example(_ number: Int, in namespace: Namespace = .standard) -> Self {
        Self(namespace: namespace, number: number)
    }
}

extension DeviceSession.SendTime {
    /// Returns the time `seconds` seconds after the start of a test.
    static func second(_ seconds: Int64) -> Self {
        Self(
            deadline: .uptimeNanoseconds(0) + .seconds(seconds),
            timestamp: Timestamp(milliseconds: Int(seconds) * 1_000)
        )
    }
}

extension DeviceSession {
    /// Sends all that the session can send if the inbox contains `inbox`, and returns the sent sequences.
    mutating func sendAll(from inbox: [Int] = [], at second: Int64 = 0) -> [Int] {
        writeAll(from: inbox, at: second).flatMap(\.self)
    }

    /// Sends all that the session can send if the inbox contains `inbox`, and returns the sequences of each write.
    mutating func writeAll(from inbox: [Int] = [], at second: Int64 = 0) -> [[Int]] {
        var writes: [[Int]] = []
        while true {
            switch next(at: .second(second)) {
            case .wait: return writes.filter { !$0.isEmpty }
            case .send(let notifications): writes.append(notifications.map(\.sequence))
            case .read(let request):
                let page = StoredNotification.examples(inbox.filter { $0 > request.position }.prefix(request.limit))
                writes.append(receive(page, for: request, at: .second(second)).map(\.sequence))
            }
        }
    }
}
