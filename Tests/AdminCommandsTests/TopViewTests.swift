import GatewayClient
import Testing
import TextReports
import WaypostSchema

@testable import AdminCommands

/// Tests of the figures of `waypost top`.
@Suite struct TopViewTests {
    private static let view = TopView(
        from: MetricsDigest(
            """
            waypost_notifications_accepted_total{topic="a"} 100
            waypost_notification_states_total{state="acknowledged"} 50
            waypost_commit_duration_seconds_bucket{le="+Inf"} 10
            waypost_commit_duration_seconds_sum 0.1
            waypost_commit_duration_seconds_count 10

            """
        ),
        to: MetricsDigest(
            """
            waypost_notifications_accepted_total{topic="a"} 150
            waypost_notifications_accepted_total{topic="b"} 50
            waypost_notifications_rejected_total{reason="BadDeviceToken"} 4
            waypost_notification_states_total{state="acknowledged"} 70
            waypost_notification_states_total{state="expired"} 2
            waypost_notification_states_total{state="stored"} 200
            waypost_commit_duration_seconds_bucket{le="+Inf"} 20
            waypost_commit_duration_seconds_sum 0.3
            waypost_commit_duration_seconds_count 20
            waypost_inbox_notifications{namespace="a"} 7
            waypost_inbox_notifications{namespace="b"} 5
            waypost_sessions_open 3

            """
        ),
        seconds: 2
    )

    @Test func ratesAreForEachSecond() {
        let view = Self.view
        #expect(view.accepted == 50)
        #expect(view.acknowledged == 10)
        #expect(view.rejected == ["BadDeviceToken": 2])
        #expect(view.ended == ["expired": 1])
        #expect(view.stored == 12)
        #expect(view.streams == 3)
    }

    @Test func commitIsTheMeanOfTheInterval() throws {
        #expect(try #require(Self.view.commit).rounded() == 20)
        let empty = MetricsDigest("")
        #expect(TopView(from: empty, to: empty, seconds: 1).commit == nil)
    }

    @Test func tableNamesTheReasons() {
        let health = Health(status: "ok", schema: 1, store: "sqlite")
        let text = Self.view.text(of: "http://127.0.0.1:7330", health).text(in: .plain)
        #expect(text.hasPrefix("http://127.0.0.1:7330  ok  sqlite  (Ctrl-C ends)\n"))
        #expect(text.contains("BadDeviceToken                2.0/s\nexpired                       1.0/s"))
    }
}
