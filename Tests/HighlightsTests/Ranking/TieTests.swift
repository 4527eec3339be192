import Highlights
import Testing
import WaypostSchema
import WaypostTestSupport

/// The order of items with equal numbers.
@Suite struct TieTests {
    private var shelf = RankedShelf()

    @Test mutating func laterShareIsFirstForEqualScores() throws {
        // A point is more than four minutes, so two items within a few seconds mostly have the same score.
        shelf.share("a", ago: .hour)
        shelf.share("b", ago: .hour - 1)
        #expect(try #require(shelf.rank("a")).score == (try #require(shelf.rank("b"))).score)
        #expect(shelf.order == ["b", "a"])
    }

    @Test(.proves("B49"), arguments: [["a", "b", "c"], ["c", "a", "b"], ["b", "c", "a"]])
    mutating func laterArrivalIsFirstForEqualScoresAndShares(_ names: [String]) {
        for name in names { shelf.share(name, ago: .hour) }
        #expect(shelf.order == names.reversed())
    }

    @Test mutating func itemsPinnedInTheSameMillisecondAreInOrderOfTheirPins() {
        shelf.share("first", ago: .hour, by: 5)
        for name in ["a", "b"] { shelf.share(name, ago: 2 * .day) }
        shelf.share("c", ago: 3 * .day, by: 3)
        for name in ["c", "a", "b"] { shelf.pin(name) }
        #expect(shelf.order == ["first", "b", "a", "c"])
    }

    @Test(.proves("B49")) mutating func itemsSharedInTheSameMillisecondAreInTheOrderOfArrivalWhateverTheirScores() {
        shelf.share("first", ago: .minute * 11, by: 5)
        for name in ["b", "a", "c"] { shelf.share(name, ago: .hour) }
        shelf.interact("b")
        #expect(shelf.order == ["first", "c", "a", "b"])
    }

    @Test mutating func linksOfOneMessageAreInTheOrderOfItsTextTheLastFirst() {
        shelf.share("first", ago: .minute * 11, by: 5)
        let names = ["b", "a", "c"]
        let text = names.map(RankedShelf.url).joined(separator: " ")
        let message = Message(
            id: "several",
            conversation: "conversation-1",
            sender: "person-1@example.com",
            text: text,
            sentAt: Timestamp(milliseconds: shelf.now.rawValue - .hour)
        )
        shelf.apply(.messageReceived(message))
        #expect(shelf.order == ["first", "c", "a", "b"])
        shelf.apply(.linkPinned("several", url: nil))
        #expect(shelf.order == ["first", "c", "a", "b"])
    }
}
