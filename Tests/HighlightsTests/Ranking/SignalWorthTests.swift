import Highlights
import Testing
import WaypostSchema

/// The age for which each signal compensates: up to it, an item with the signal precedes a newer item without it.
@Suite struct SignalWorthTests {
    /// Returns the first of two items after some actions; one is older, and may be shared by more people.
    private func first(
        ageDifference age: Int,
        people: Int = 1,
        _ rules: RankingRules = RankingRules(),
        _ change: (inout RankedShelf) -> Void = { _ in }
    ) -> String? {
        var shelf = RankedShelf(rules)
        shelf.share("older", ago: .hour + age, by: people)
        shelf.share("newer", ago: .hour)
        change(&shelf)
        #expect(shelf.report?.curated == true)
        return shelf.order.first
    }

    /// Expects that some actions compensate for an age, but not for slightly more.
    private func expect(
        worth age: Int,
        people: Int = 1,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ change: (inout RankedShelf) -> Void = { _ in }
    ) {
        let (within, beyond) = (age - .slack, age + .slack)
        #expect(
            first(ageDifference: within, people: people, RankingRules(), change) == "older",
            sourceLocation: sourceLocation
        )
        #expect(
            first(ageDifference: beyond, people: people, RankingRules(), change) == "newer",
            sourceLocation: sourceLocation
        )
    }

    @Test func newerItemIsFirstWithoutOtherSignals() {
        #expect(first(ageDifference: 1) == "newer")
        #expect(first(ageDifference: 29 * .day) == "newer")
    }

    @Test func twoSharersCompensateForSeventyTwoHours() {
        expect(worth: 72 * .hour, people: 2)
    }

    @Test func threeSharersCompensateForFiveDaysLessSixHours() {
        expect(worth: 72 * .hour * 1_585 / 1_000, people: 3)
    }

    @Test func threeSharersOutrankAnOlderPin() {
        var shelf = RankedShelf()
        shelf.share("pinned", ago: 3 * .day)
        shelf.pin("pinned")
        shelf.share("popular", ago: 2 * .day, by: 3)
        #expect(shelf.order == ["popular", "pinned"])
    }

    @Test func fourSharersCompensateForSixDays() {
        expect(worth: 6 * .day, people: 4)
    }

    @Test(arguments: [5, 6]) func fiveOrMoreSharersCompensateForAlmostSevenDays(people: Int) {
        expect(worth: 72 * .hour * 2_322 / 1_000, people: people)
    }

    @Test func oneSharerAddsNothing() {
        var shelf = RankedShelf()
        shelf.share("a", ago: .hour)
        #expect(shelf.points("a", .sharers) == nil)
        #expect(shelf.rank("a")?.terms.map(\.signal) == [.recency])
    }

    @Test func pinCompensatesForSeventyTwoHours() {
        expect(worth: 72 * .hour) { $0.pin("older") }
    }

    @Test func interactionCompensatesForFortyTwoHours() {
        expect(worth: 72 * .hour * 585 / 1_000) { $0.interact("older") }
    }

    @Test func interactionCountsOnce() {
        expect(worth: 72 * .hour * 585 / 1_000) { shelf in
            for _ in 0..<5 { shelf.interact("older") }
        }
    }

    @Test func startCompensatesForThirtySixHours() {
        expect(worth: 36 * .hour) { $0.show("older", .detail, milliseconds: 10_000) }
    }

    @Test func startCountsAsSoonAsTheContentIsShown() {
        expect(worth: 36 * .hour) { $0.attach("older", .detail) }
    }

    @Test func consumptionMakesAnItemTwelveDaysOlder() {
        func first(_ age: Int) -> String? {
            self.first(ageDifference: age) { $0.finish("newer") }
        }
        #expect(first(12 * .day - .slack) == "older")
        #expect(first(12 * .day + .slack) == "newer")
    }

    @Test func eachCountedImpressionMakesAnItemEighteenHoursOlder() {
        func first(_ age: Int, shown times: Int) -> String? {
            self.first(ageDifference: age) { $0.showOften("newer", times: times) }
        }
        #expect(first(18 * .hour - .slack, shown: 3) == "older")
        #expect(first(18 * .hour + .slack, shown: 3) == "newer")
        #expect(first(36 * .hour - .slack, shown: 4) == "older")
    }

    @Test func twoImpressionsAreFree() {
        #expect(first(ageDifference: .slack) { $0.showOften("newer", times: 2) } == "newer")
    }

    @Test func impressionsMakeAnItemAtMostFourAndAHalfDaysOlder() {
        for times in [8, 9, 20] {
            #expect(first(ageDifference: 108 * .hour + .slack) { $0.showOften("newer", times: times) } == "newer")
            #expect(first(ageDifference: 108 * .hour - .slack) { $0.showOften("newer", times: times) } == "older")
        }
    }

    @Test func signalsAddUp() {
        expect(worth: 72 * .hour * (1_000 + 585 + 500 + 1_000) / 1_000, people: 2) { shelf in
            shelf.pin("older")
            shelf.interact("older")
            shelf.show("older", .detail, milliseconds: 1_000)
        }
    }

    @Test func consumptionRemovesInteractionAndStart() {
        var shelf = RankedShelf()
        shelf.share("a", ago: .hour)
        shelf.interact("a")
        shelf.show("a", .detail, milliseconds: 40_000)
        #expect(shelf.rank("a")?.terms.map(\.signal) == [.recency, .consumed])
    }

    @Test func doubleHalfLifeDoublesTheAgeForWhichAPinCompensates() {
        var rules = RankingRules()
        rules.halfLife *= 2
        #expect(first(ageDifference: 144 * .hour - 2 * .slack, rules) { $0.pin("older") } == "older")
        #expect(first(ageDifference: 144 * .hour + 2 * .slack, rules) { $0.pin("older") } == "newer")
    }

    @Test func sharersBeyondTheListOfPointsCountAsTheLast() {
        var rules = RankingRules()
        rules.sharerPoints = [0, 1_000]
        #expect(first(ageDifference: 72 * .hour - .slack, people: 5, rules) == "older")
        #expect(first(ageDifference: 72 * .hour + .slack, people: 5, rules) == "newer")
        rules.sharerPoints = []
        #expect(first(ageDifference: 1, people: 5, rules) == "newer")
    }
}
