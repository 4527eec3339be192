import ArgumentParser
import GatewayClient
import Testing
import WaypostSchema

@testable import AdminCommands

@Suite struct NotificationsOptionsTests {
    @Test func optionsDescribeAFilter() async throws {
        let options = try await NotificationSelectionOptions.parseAsync([
            "--token", "00ff", "--topic", "com.example.clowntown", "--state", "stored", "--state", "sent", "--since",
            "10m",
            "--after", "42",
        ])
        var expected = NotificationFilter()
        expected.token = "00ff"
        expected.topic = "com.example.clowntown"
        expected.states = [.stored, .sent]
        expected.earliestArrival = "10m"
        expected.afterSequence = 42
        #expect(options.filter == expected)
        #expect(try await NotificationSelectionOptions.parseAsync([]).filter == NotificationFilter())
    }

    @Test func invalidOptionsAreRefused() async throws {
        try await expectAsyncRefusal(of: NotificationsListCommand.self, ["--state", "lost"], "acknowledged")
        try await expectAsyncRefusal(of: NotificationsListCommand.self, ["--limit", "0"], "1 to 1000")
        try await expectAsyncRefusal(of: NotificationsListCommand.self, ["--limit", "1001"], "1 to 1000")
        try await expectAsyncRefusal(
            of: NotificationsFollowCommand.self,
            ["--namespace", "clown town"],
            "is not a namespace"
        )
        try expectRefusal(of: NotificationsShowCommand.self, [], "id")
        try expectRefusal(of: NotificationsWaitCommand.self, ["x", "--for", "arrival"], "acknowledged")
        try expectRefusal(
            of: NotificationsWaitCommand.self,
            ["x", "--timeout", "soon"],
            "is not a duration; use a number and a unit"
        )
    }

    @Test(arguments: [
        (DeliveryState?.some(.acknowledged), DeliveryState.acknowledged, String?.none),
        (.sent, .acknowledged, nil),
        (nil, .acknowledged, nil),
        (.collapsed, .acknowledged, "the notification was not collapsed: it is acknowledged"),
    ])
    func failedWaitReportsTheFinalState(_ goal: DeliveryState?, _ state: DeliveryState, _ failure: String?) {
        let record = NotificationRecord(
            sequence: 1,
            id: "x",
            batch: "b",
            state: state,
            history: [.accepted, .stored, .sent, state].map { DeliveryStep($0, at: Timestamp(milliseconds: 0)) }
        )
        #expect(GoalArgument(state: goal).failure(for: record) == failure)
    }

    @Test func failedWaitReportsTheReasonOfARejection() async throws {
        let record = NotificationRecord(
            sequence: 1,
            id: "x",
            batch: "b",
            state: .rejected,
            history: [DeliveryStep(.rejected, at: Timestamp(milliseconds: 0))],
            reason: .badDeviceToken
        )
        let failure = GoalArgument(state: .acknowledged).failure(for: record)
        #expect(failure == "the notification was not acknowledged: it is rejected (BadDeviceToken)")
        #expect(GoalArgument(state: nil).failure(for: record) == nil)
    }
}
