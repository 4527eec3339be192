import GatewayStore
import PushRules
import Synchronization
import Testing
import WaypostSchema

@testable import Gateway

/// Tests of the queue of a batcher that does not run, so nothing is stored.
@Suite struct ProviderBatcherTests {
    private final class Answers: Sendable {
        private let refusals = Mutex<[RejectionReason]>([])

        var all: [RejectionReason] { refusals.withLock { $0 } }

        func note(_ outcome: ProviderResponse.Outcome) {
            guard case .refused(let refusal) = outcome else { return }
            if let reason = refusal.reason { refusals.withLock { $0.append(reason) } }
        }
    }

    private static let refused = ProviderBatcher.Item.refused(
        RejectedItem(
            subject: LogSubject(token: "00ff"),
            rejection: ProviderRefusal(.badPriority, "no such priority").rejection
        ),
        in: nil
    )

    private static func notification(_ number: Int, _ answers: Answers) -> ProviderBatcher.Item {
        let id = NotificationID(rawValue: "\(number)")
        let notification = NewNotification(id: id, token: "00ff", topic: "a", payload: Array("{}".utf8))
        return .notification(notification) { outcome, _ in answers.note(outcome) }
    }

    @Test func refusalsTakeNoCapacityFromNotifications() throws {
        let (intake, answers) = (ProviderBatcher(try GatewayServices.forTests().devices, capacity: 1_100), Answers())
        for _ in 0..<10_000 { intake.add(Self.refused) }
        for number in 0..<100 { intake.add(Self.notification(number, answers)) }
        #expect(answers.all.isEmpty)
    }

    @Test func notificationsBeyondTheCapacityAreRefusedImmediately() throws {
        let (intake, answers) = (ProviderBatcher(try GatewayServices.forTests().devices, capacity: 10), Answers())
        for number in 0..<12 { intake.add(Self.notification(number, answers)) }
        #expect(answers.all == [.serviceUnavailable, .serviceUnavailable])
    }
}
