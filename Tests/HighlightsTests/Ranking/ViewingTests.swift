import Highlights
import Testing
import WaypostSchema

/// The conditions for an impression and for consumption.
@Suite struct ViewingTests {
    private var shelf = RankedShelf()

    init() {
        shelf.share("shown", ago: .hour)
        shelf.share("other", ago: .hour + 3 * .minute)
    }

    @Test(arguments: [(999, ["shown", "other"], nil), (1_000, ["other", "shown"], -250)] as [(Int, [String], Int?)])
    mutating func summaryIsAnImpressionAfterASecond(milliseconds: Int, order: [String], points: Int?) {
        for _ in 0..<3 {
            shelf.show("shown", milliseconds: milliseconds)
            shelf.pass(10 * .minute)
        }
        #expect(shelf.points("shown", .ignored) == points)
        #expect(shelf.order == order)
    }

    @Test(
        arguments: [(10 * .minute - 1, ["shown", "other"], nil), (10 * .minute, ["other", "shown"], -250)]
            as [(Int, [String], Int?)]
    )
    mutating func impressionsAreTenMinutesApart(interval: Int, order: [String], points: Int?) {
        for _ in 0..<3 {
            shelf.show("shown", milliseconds: 1_000)
            shelf.pass(interval - 1_000)
        }
        #expect(shelf.points("shown", .ignored) == points)
        #expect(shelf.order == order)
    }

    @Test mutating func longImpressionCountsOnce() {
        shelf.show("shown", milliseconds: 5 * .hour)
        #expect(shelf.points("shown", .ignored) == nil)
    }

    @Test(arguments: [(3, -250), (4, -500), (7, -1_250), (8, -1_500), (9, -1_500), (30, -1_500)])
    mutating func impressionsAfterTheFirstTwoCostPointsUpToALimit(times: Int, points: Int) {
        shelf.showOften("shown", times: times)
        #expect(shelf.points("shown", .ignored) == points)
    }

    @Test mutating func contentIsConsumedAfterThirtySecondsInDetail() {
        shelf.show("other", .detail, milliseconds: 29_999)
        #expect(shelf.order == ["other", "shown"])
        #expect(shelf.points("other", .started) == 500)
        shelf.show("other", .detail, milliseconds: 1)
        #expect(shelf.order == ["shown", "other"])
        #expect(shelf.points("other", .consumed) == -4_000)
    }

    @Test mutating func finishedContentIsConsumed() {
        shelf.finish("shown")
        #expect(shelf.order == ["other", "shown"])
        #expect(shelf.points("shown", .consumed) == -4_000)
    }

    @Test mutating func summaryIsNotAStartAndDetailIsNotAnImpression() {
        shelf.show("shown", .summary, milliseconds: .hour)
        #expect(shelf.points("shown", .started) == nil && shelf.points("shown", .consumed) == nil)
        for _ in 0..<5 {
            shelf.show("other", .detail, milliseconds: 2_000)
            shelf.pass(.hour)
        }
        #expect(shelf.points("other", .ignored) == nil)
    }
}
