import Highlights
import Testing
import WaypostSchema

/// The sums of scores.
@Suite struct ScoreTests {
    /// The worked example of the reference: three people shared X six days before Y, and the user opened it for ten
    /// seconds.
    ///
    /// One person shared Y, and it was shown five times. Z was shared one day before Y and watched to its end.
    @Test func workedExampleGivesXThenYThenZ() throws {
        var shelf = RankedShelf()
        shelf.share("x", ago: 6 * .day, by: 3)
        shelf.share("y", ago: 0)
        shelf.share("z", ago: .day)
        shelf.show("x", .detail, milliseconds: 10_000)
        shelf.finish("z")
        shelf.showOften("y", times: 5)
        let now = RankedShelf.start.rawValue * 1_000 / (72 * .hour)
        let scores = try ["x", "y", "z"].map { try #require(shelf.rank($0)).score - now }
        #expect(scores == [85, -750, -4_334] || scores == [85, -750, -4_333])
        #expect(shelf.order == ["x", "y", "z"])
    }

    @Test func termsSumToTheScore() throws {
        var shelf = RankedShelf()
        for (number, name) in ["a", "b", "c", "d", "e"].enumerated() {
            shelf.share(name, ago: (number + 1) * 2 * .day, by: number + 1)
        }
        shelf.pin("a")
        shelf.interact("b")
        shelf.show("c", .detail, milliseconds: 5_000)
        shelf.finish("d")
        shelf.showOften("e", times: 4)
        let items = try #require(shelf.report).items
        #expect(items.count == 5)
        for rank in items.map(\.rank) {
            #expect(rank.score == rank.terms.map(\.points).reduce(0, +))
            #expect(rank.terms.first?.signal == .recency)
            #expect(rank.terms.allSatisfy { !$0.explanation.isEmpty })
        }
        #expect(Set(items.flatMap(\.rank.terms).map(\.signal)) == Set(ScoreTerm.Signal.allCases))
    }

    @Test func recencyIsAThousandPointsForEachSeventyTwoHours() {
        var shelf = RankedShelf()
        shelf.share("a", ago: 0)
        #expect(shelf.points("a", .recency) == RankedShelf.start.rawValue / 259_200)
    }

    @Test func scoreDoesNotDependOnTheTimeOfTheQuery() throws {
        var shelf = RankedShelf()
        shelf.share("a", ago: .hour, by: 2)
        let before = try #require(shelf.rank("a")).score
        shelf.pass(20 * .day)
        #expect(try #require(shelf.rank("a")).score == before)
    }

    @Test func recencyIsThatOfTheLatestShare() {
        var shelf = RankedShelf()
        shelf.share("a", ago: 10 * .day)
        let again = Message(
            id: "again",
            conversation: "conversation-2",
            sender: "person-2@example.com",
            text: RankedShelf.url("a")
        )
        shelf.apply(.messageReceived(again))
        #expect(shelf.points("a", .recency) == RankedShelf.start.rawValue / 259_200)
    }
}
