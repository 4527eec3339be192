import Highlights
import Testing
import WaypostSchema

/// How much age each signal makes up for: an item that has it is before a newer one that has not, up to there.
@Suite struct SignalWorthTests {
    /// Who is first of two items, one of which is older, and possibly shared by more, once something was done.
    private func first(
        ageDifference age: Int,
        people: Int = 1,
        _ rules: RankingRules = RankingRules(),
        _ happen: (inout RankedShelf) -> Void = { _ in }
    ) -> String? {
        var shelf = RankedShelf(rules)
        shelf.share("older", ago: .hour + age, by: people)
        shelf.share("newer", ago: .hour)
        happen(&shelf)
        #expect(shelf.report?.curated == true)
        return shelf.order.first
    }

    /// Expects that what is done makes up for an age, and not for a little more.
    private func expect(
        worth age: Int,
        people: Int = 1,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ happen: (inout RankedShelf) -> Void = { _ in }
    ) {
        let (within, beyond) = (age - .slack, age + .slack)
        #expect(
            first(ageDifference: within, people: people, RankingRules(), happen) == "older",
            sourceLocation: sourceLocation
        )
        #expect(
            first(ageDifference: beyond, people: people, RankingRules(), happen) == "newer",
            sourceLocation: sourceLocation
        )
    }

    @Test func newerItemIsFirstWhereNothingElseCounts() {
        #expect(first(ageDifference: 1) == "newer")
        #expect(first(ageDifference: 29 * .day) == "newer")
    }

    @Test func twoSharersMakeUpForSeventyTwoHours() {
        expect(worth: 72 * .hour, people: 2)
    }

    @Test func threeSharersMakeUpForFiveDaysLessSixHours() {
        expect(worth: 72 * .hour * 1_585 / 1_000, people: 3)
    }

    @Test func threeSharersOutrankAnOlderPin() {
        var shelf = RankedShelf()
        shelf.share("pinned", ago: 3 * .day)
        shelf.pin("pinned")
        shelf.share("popular", ago: 2 * .day, by: 3)
        #expect(shelf.order == ["popular", "pinned"])
    }

    @Test func fourSharersMakeUpForSixDays() {
        expect(worth: 6 * .day, people: 4)
    }

    @Test(arguments: [5, 6]) func fiveSharersAndMoreMakeUpForALittleLessThanSevenDays(people: Int) {
        expect(worth: 72 * .hour * 2_322 / 1_000, people: people)
    }

    @Test func oneSharerMakesUpForNothing() {
        var shelf = RankedShelf()
        shelf.share("a", ago: .hour)
        #expect(shelf.points("a", .sharers) == nil)
        #expect(shelf.rank("a")?.terms.map(\.signal) == [.recency])
    }

    @Test func pinMakesUpForSeventyTwoHours() {
        expect(worth: 72 * .hour) { $0.pin("older") }
    }

    @Test func interactionMakesUpForFortyTwoHours() {
        expect(worth: 72 * .hour * 585 / 1_000) { $0.interact("older") }
    }

    @Test func interactionCountsOnce() {
        expect(worth: 72 * .hour * 585 / 1_000) { shelf in
            for _ in 0..<5 { shelf.interact("older") }
        }
    }

    @Test func beginningMakesUpForThirtySixHours() {
        expect(worth: 36 * .hour) { $0.show("older", .detail, milliseconds: 10_000) }
    }

    @Test func beginningCountsFromTheMomentOnInWhichTheContentIsShown() {
        expect(worth: 36 * .hour) { shelf in
            shelf.happen(.attributionAttached(RankedShelf.app, "view", url: RankedShelf.url("older"), .detail))
        }
    }

    @Test func consumedItemIsBeforeOneThatIsTwelveDaysOlder() {
        func first(_ age: Int) -> String? {
            self.first(ageDifference: age) { $0.finish("newer") }
        }
        #expect(first(12 * .day - .slack) == "older")
        #expect(first(12 * .day + .slack) == "newer")
    }

    @Test func impressionsThatCountMakeAnItemEighteenHoursOlderEach() {
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

    @Test func impressionsMakeAnItemFourAndAHalfDaysOlderAtMost() {
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

    @Test func consumptionEndsWhatInteractionAndBeginningGave() {
        var shelf = RankedShelf()
        shelf.share("a", ago: .hour)
        shelf.interact("a")
        shelf.show("a", .detail, milliseconds: 40_000)
        #expect(shelf.rank("a")?.terms.map(\.signal) == [.recency, .consumed])
    }

    @Test func halfLifeThatIsTwiceAsLongDoublesWhatAPinMakesUpFor() {
        var rules = RankingRules()
        rules.halfLife *= 2
        #expect(first(ageDifference: 144 * .hour - 2 * .slack, rules) { $0.pin("older") } == "older")
        #expect(first(ageDifference: 144 * .hour + 2 * .slack, rules) { $0.pin("older") } == "newer")
    }

    @Test func moreSharersThanThereArePointsForCountAsTheLast() {
        var rules = RankingRules()
        rules.sharerPoints = [0, 1_000]
        #expect(first(ageDifference: 72 * .hour - .slack, people: 5, rules) == "older")
        #expect(first(ageDifference: 72 * .hour + .slack, people: 5, rules) == "newer")
        rules.sharerPoints = []
        #expect(first(ageDifference: 1, people: 5, rules) == "newer")
    }
}
