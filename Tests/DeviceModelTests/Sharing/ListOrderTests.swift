import Testing
import WaypostSchema
import WaypostTestSupport

/// The order of an app's list: the curated item, pinned items, other items.
@Suite struct ListOrderTests {
    private var device = SharingDevice()
    private var messages: [String: MessageID] = [:]

    init() {
        device.shareAutomatically(with: .tv)
        for name in ["a", "b", "c", "d", "e"] {
            messages[name] = device.receive(Self.url(name))
            device.advance(minutes: 60)
        }
    }

    private static func url(_ name: String) -> String {
        "https://tv.example/shows/\(name)"
    }

    private var order: String {
        device.shelf().map { String($0.suffix(1)) }.joined()
    }

    private mutating func pin(_ name: String) throws {
        device.pin(try #require(messages[name]))
    }

    @Test(.proves("B46", "B49")) func unpinnedItemsAreInOrderNewestFirst() {
        #expect(order == "edcba")
        #expect(device.items().map(\.rank.section) == [.curated, .recent, .recent, .recent, .recent])
    }

    @Test(.proves("B48")) mutating func pinnedItemsFollowTheCuratedItemLatestPinFirst() throws {
        for name in ["c", "a", "b"] { try pin(name) }
        #expect(order == "cbaed")
        #expect(device.items().map(\.rank.section) == [.curated, .pinned, .pinned, .recent, .recent])
    }

    @Test(.proves("B47")) mutating func firstItemHasTheHighestScore() throws {
        device.apply(.sharing(.highlightInteracted(.tv, url: Self.url("b"))))
        #expect(order == "bedca")
        device.apply(.sharing(.contentFinished(.tv, url: Self.url("b"))))
        #expect(order == "edcba")
        device.receive(Self.url("a"), from: .sarah, in: .sarah)
        device.advance(minutes: 20)
        #expect(order == "aedcb")
        #expect(device.page().curated)
        let scores = device.items().map(\.rank.score)
        #expect(scores.first == scores.max())
    }

    @Test(.proves("B47", "B48")) mutating func curatedItemIsNotRepeatedBelow() throws {
        try pin("a")
        try pin("b")
        device.apply(.sharing(.highlightInteracted(.tv, url: Self.url("a"))))
        #expect(order == "abedc")
        #expect(device.items().map(\.isPinned) == [true, true, false, false, false])
        #expect(device.items().map(\.rank.section) == [.curated, .pinned, .recent, .recent, .recent])
    }

    @Test(.proves("B12")) mutating func listIsInOrderOfRank() throws {
        try pin("c")
        device.apply(.sharing(.highlightInteracted(.tv, url: Self.url("d"))))
        let ranks = device.items().map(\.rank)
        #expect(ranks.map(\.position) == [0, 1, 2, 3, 4])
        #expect(device.report()?.items.map(\.highlight) == device.page().highlights)
        for url in device.shelf() { #expect(device.explanation(of: url).rank == device.item(url)?.rank) }
    }

    @Test mutating func unpinningRestoresThePosition() throws {
        try pin("a")
        #expect(order == "aedcb")
        device.unpin(try #require(messages["a"]))
        #expect(order == "edcba")
    }

    @Test mutating func timeAloneDoesNotReorderEligibleItems() throws {
        try pin("b")
        let before = device.shelf()
        for _ in 0..<20 {
            device.advance(days: 1)
            #expect(device.shelf() == before)
        }
    }

    @Test mutating func repeatedPinIsTheLatestPin() throws {
        try pin("a")
        try pin("b")
        device.apply(.sharing(.contentFinished(.tv, url: Self.url("a"))))
        device.apply(.sharing(.contentFinished(.tv, url: Self.url("b"))))
        #expect(order == "ebadc")
        try pin("a")
        #expect(order == "eabdc")
    }
}
