import PushRules
import Testing
import WaypostSchema

/// The notifications that a device got, and that APNs would have replaced while the device was away.
@Suite struct NewestNotificationTests {
    /// A notification, with the times in milliseconds at which it was stored and sent.
    struct Line: Sendable {
        var token: DeviceToken = "aa"
        var topic: Topic = "com.example.clowntown"
        var batch: BatchID = "batch"
        var stored: Int
        var sent: Int?
    }

    static func records(_ lines: [Line]) -> [NotificationRecord] {
        lines.enumerated().map { index, line in
            let sent = line.sent.map { DeliveryStep(.sent, at: Timestamp(rawValue: $0)) }
            return NotificationRecord(
                sequence: index + 1,
                id: nil,
                batch: line.batch,
                token: line.token,
                topic: line.topic,
                state: sent == nil ? .stored : .sent,
                history: [DeliveryStep(.stored, at: Timestamp(rawValue: line.stored))] + [sent].compactMap(\.self)
            )
        }
    }

    static let cases: [(String, [Line], Set<Int>)] = [
        ("two waited", [Line(stored: 0, sent: 9_000), Line(stored: 5_000, sent: 9_000)], [1]),
        (
            "three waited",
            [Line(stored: 0, sent: 9_000), Line(stored: 1, sent: 9_000), Line(stored: 8_900, sent: 9_001)], [1, 2]
        ),
        ("one waited, the next one came later", [Line(stored: 0, sent: 9_000), Line(stored: 9_000, sent: 9_001)], []),
        ("a connected device got both", [Line(stored: 0, sent: 9), Line(stored: 5, sent: 12)], []),
        ("the first one is still waiting", [Line(stored: 0), Line(stored: 5_000)], []),
        (
            "two apps", [Line(stored: 0, sent: 9_000), Line(topic: "com.example.other", stored: 1, sent: 9_000)], []
        ),
        ("two devices", [Line(stored: 0, sent: 9_000), Line(token: "bb", stored: 1, sent: 9_000)], []),
        (
            "messages are never replaced",
            [Line(topic: .messages, stored: 0, sent: 9_000), Line(topic: .messages, stored: 1, sent: 9_000)], []
        ),
    ]

    @Test(arguments: cases) func onlyTheNewestOfThoseThatWaitedCounts(_ name: String, lines: [Line], expected: Set<Int>)
    {
        #expect(NewestNotification.replaced(in: Self.records(lines)) == expected, "\(name)")
    }

    @Test func allButTheNewestOfEachAppAreReplacedAmongThoseThatWait() {
        let lines = [
            Line(stored: 0), Line(topic: "com.example.other", stored: 0), Line(stored: 0), Line(token: "bb", stored: 0),
            Line(stored: 0), Line(topic: .messages, stored: 0), Line(topic: .messages, stored: 0),
        ]
        let replaced = NewestNotification.replaced(amongWaiting: Self.records(lines))
        #expect(replaced.map(\.sequence) == [1, 3])
    }

    @Test func batchIsToldOfWhatCameWithItAndNotOfEarlierWaits() {
        let records = Self.records([
            Line(batch: "first", stored: 0, sent: 5_000), Line(batch: "first", stored: 10, sent: 5_000),
            Line(batch: "second", stored: 6_000, sent: 9_000), Line(batch: "third", stored: 7_000, sent: 9_000),
        ])
        #expect(NewestNotification.replaced(around: "third", in: records).map(\.sequence) == [3])
        #expect(NewestNotification.replaced(around: "first", in: records).map(\.sequence) == [1, 3])
        #expect(NewestNotification.replaced(around: "other", in: records).isEmpty)
    }

    @Test func noticeNamesTheNumberAndTheCommand() {
        let notice = NewestNotification.notice(count: 1, topic: "com.example.clowntown")
        #expect(notice.hasPrefix("1 notification waited"))
        #expect(notice.hasSuffix("'waypost storage set com.example.clowntown apns' does"))
        #expect(NewestNotification.finding(about: "a.b").message.contains("waypost storage set a.b apns"))
    }
}
