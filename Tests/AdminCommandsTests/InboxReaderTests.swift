import Testing
import WaypostSchema

@testable import AdminCommands

/// The inboxes of the tokens of a device, read as one.
@Suite struct InboxReaderTests {
    private static func entry(_ sequence: Int, to token: DeviceToken) -> InboxEntry {
        InboxEntry(
            notification: DeliveredNotification(
                sequence: sequence,
                id: NotificationID(rawValue: "\(sequence)"),
                token: token,
                topic: "com.example.tv",
                pushType: "alert",
                priority: 10,
                payload: .object([:])
            ),
            state: .stored,
            held: false
        )
    }

    /// Reads inboxes; returns the sequences, and the maximum number of notifications of a page.
    private static func read(_ inboxes: [DeviceToken: [Int]]) async throws -> (sequences: [Int], largestPage: Int) {
        var reader = InboxReader(of: Array(inboxes.keys))
        var sequences: [Int] = []
        var largestPage = 0
        while let entry = try await reader.next(reading: { token, sequence, limit in
            let rest = (inboxes[token] ?? []).filter { $0 > sequence }
            let page = Array(rest.prefix(limit))
            largestPage = max(largestPage, page.count)
            return InboxPage(
                notifications: page.map { Self.entry($0, to: token) },
                next: rest.count > limit ? page.last : nil
            )
        }) {
            sequences.append(entry.notification.sequence)
        }
        return (sequences, largestPage)
    }

    @Test(
        arguments: [
            [:], ["a1": []], ["a1": [1, 3, 4]], ["a1": [1, 3, 4], "a2": [], "a3": [2, 5]],
            ["a1": Array(1...250)], ["a1": Array(1...150) + [900], "a2": Array(200...450)],
        ] as [[DeviceToken: [Int]]]
    )
    func oldestNotificationIsFirst(_ inboxes: [DeviceToken: [Int]]) async throws {
        let sequences = try await Self.read(inboxes).sequences
        #expect(sequences == inboxes.values.flatMap(\.self).sorted())
    }

    @Test(arguments: [(1, 100), (10, 100), (20, 50), (400, 2)])
    func pagesOfManyInboxesAreShort(_ count: Int, largestPage: Int) async throws {
        var inboxes: [DeviceToken: [Int]] = [:]
        for index in 0..<count {
            let length = index < 20 ? 200 : 1
            inboxes[DeviceToken(rawValue: "\(index)")] = (1...length).map { $0 * count + index }
        }
        let read = try await Self.read(inboxes)
        #expect(read.largestPage == largestPage)
        #expect(read.sequences == inboxes.values.flatMap(\.self).sorted())
    }
}
