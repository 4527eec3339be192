import Highlights
import Testing
import WaypostSchema

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

    @Test(arguments: [["a", "b", "c"], ["c", "a", "b"], ["b", "c", "a"]])
    mutating func lesserKeyIsFirstForEqualScoresAndShares(_ names: [String]) {
        for name in names { shelf.share(name, ago: .hour) }
        #expect(shelf.order == ["a", "b", "c"])
    }

    @Test mutating func keysAreComparedBytewise() {
        for name in ["a", "B", "10", "9", "a-b", "%C3%A9"] { shelf.share(name, ago: .hour) }
        #expect(shelf.order == ["%C3%A9", "10", "9", "B", "a", "a-b"])
    }

    @Test mutating func itemsPinnedInTheSameMillisecondAreInOrderOfScore() {
        shelf.share("first", ago: .hour, by: 5)
        for name in ["a", "b"] { shelf.share(name, ago: 2 * .day) }
        shelf.share("c", ago: 3 * .day, by: 3)
        for name in ["a", "b", "c"] { shelf.pin(name) }
        #expect(shelf.order == ["first", "c", "a", "b"])
    }

    @Test mutating func itemsPinnedInTheSameMillisecondWithEqualScoresAreInOrderOfShare() {
        shelf.share("first", ago: .hour, by: 5)
        shelf.share("a", ago: 2 * .day + 1)
        shelf.share("b", ago: 2 * .day)
        for name in ["a", "b"] { shelf.pin(name) }
        #expect(shelf.rank("a")?.score == shelf.rank("b")?.score)
        #expect(shelf.order == ["first", "b", "a"])
    }

    @Test mutating func itemsSharedInTheSameMillisecondAreInOrderOfScore() {
        shelf.share("first", ago: .minute * 11, by: 5)
        for name in ["a", "b", "c"] { shelf.share(name, ago: .hour) }
        shelf.interact("c")
        #expect(shelf.order == ["first", "c", "a", "b"])
    }
}
