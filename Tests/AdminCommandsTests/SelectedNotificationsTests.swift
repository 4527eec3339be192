import GatewayClient
import Testing
import WaypostSchema

@testable import AdminCommands

/// The notifications that options select in the delivery log, for a device with several tokens.
@Suite struct SelectedNotificationsTests {
    private static func record(_ sequence: Int, to token: DeviceToken) -> NotificationRecord {
        NotificationRecord(sequence: sequence, id: nil, batch: "b", token: token, state: .stored, history: [])
    }

    private static func page(_ sequences: [Int], next: Int? = nil) -> NotificationPage {
        NotificationPage(notifications: sequences.map { record($0, to: "a1") }, next: next)
    }

    private static func selected(after sequence: Int?, limit: Int = 3) -> SelectedNotifications {
        var filter = NotificationFilter()
        filter.afterSequence = sequence
        filter.limit = limit
        return SelectedNotifications(filter, of: ["a1", "a2"])
    }

    @Test func eachTokenHasAFilter() {
        #expect(Self.selected(after: 4).filters.map(\.token) == ["a1", "a2"])
        #expect(Self.selected(after: 4).filters.map(\.afterSequence) == [4, 4])
        #expect(SelectedNotifications(NotificationFilter(), of: ["a1"]).filters.map(\.token) == ["a1"])
        #expect(SelectedNotifications(NotificationFilter()).filters.map(\.token) == [nil])
    }

    @Test(arguments: [("a1", true), ("a2", true), ("a3", false)] as [(DeviceToken, Bool)])
    func notificationForAnotherTokenIsNotIncluded(_ token: DeviceToken, isIncluded: Bool) {
        let record = Self.record(1, to: token)
        #expect(Self.selected(after: nil).includes(record) == isIncluded)
        #expect(SelectedNotifications(NotificationFilter()).includes(record))
    }

    @Test(
        arguments: [
            // The newest ones.
            (nil, [page([1, 4, 6]), page([2, 5])], [4, 5, 6], nil),
            // The first ones, and where the next page begins.
            (0, [page([1, 4, 6], next: 6), page([2, 5])], [1, 2, 4], 4),
            (0, [page([1]), page([2])], [1, 2], nil),
            // A page without all of its notifications hides later ones of the other page.
            (0, [page([1], next: 3), page([2, 5])], [1, 2], 3),
        ] as [(Int?, [NotificationPage], [Int], Int?)]
    )
    func pagesOfTheTokensAreOne(_ after: Int?, _ pages: [NotificationPage], sequences: [Int], next: Int?) {
        let merged = Self.selected(after: after).merged(pages)
        #expect(merged.notifications.map(\.sequence) == sequences)
        #expect(merged.next == next)
    }
}
