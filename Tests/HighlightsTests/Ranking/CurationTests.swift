import Highlights
import Testing
import WaypostSchema

/// The items that can be first, and the reasons why no item is.
@Suite struct CurationTests {
    private var shelf = RankedShelf()

    @Test mutating func itemCanBeFirstFromTenMinutesAfterItsShare() {
        shelf.share("older", ago: .hour)
        shelf.share("newer", ago: 10 * .minute - 1)
        #expect(shelf.order == ["older", "newer"])
        shelf.pass(1)
        #expect(shelf.order == ["newer", "older"])
    }

    @Test mutating func itemCanBeFirstForThirtyDays() {
        shelf.share("popular", ago: 30 * .day - 1, by: 5)
        shelf.share("newer", ago: 29 * .day)
        #expect(shelf.order == ["popular", "newer"])
        shelf.pass(1)
        #expect(shelf.order == ["newer", "popular"])
        #expect(shelf.rank("newer")?.section == .curated)
    }

    @Test mutating func pinnedItemCanBeFirstForever() {
        shelf.share("a", ago: 5_000 * .day)
        shelf.pin("a")
        #expect(shelf.report?.curated == true)
    }

    @Test mutating func pinnedItemCannotBeFirstWithinTenMinutes() {
        shelf.share("older", ago: .hour)
        shelf.share("a", ago: 0)
        shelf.pin("a")
        #expect(shelf.order == ["older", "a"])
        #expect(shelf.rank("a")?.section == .pinned)
        shelf.pass(10 * .minute)
        #expect(shelf.order == ["a", "older"])
    }

    @Test mutating func recentlyEditedItemCannotBeFirst() {
        shelf.share("older", ago: .hour)
        shelf.share("newer", ago: 9 * .minute)
        shelf.apply(.messageEdited("newer-1", text: "Look: \(RankedShelf.url("newer"))"))
        shelf.pass(9 * .minute)
        #expect(shelf.order == ["older", "newer"])
        shelf.pass(.minute)
        #expect(shelf.order == ["newer", "older"])
    }

    /// The ages of the items on a shelf, and the reason why none is curated.
    static let gaps: [(ages: [Int], gap: CurationGapReason?)] = [
        ([], .empty), ([0], .tooRecent), ([0, .minute, 10 * .minute - 1], .tooRecent), ([30 * .day], .stale),
        ([30 * .day, 90 * .day], .stale), ([0, 30 * .day], .tooRecentOrStale), ([10 * .minute], nil),
        ([30 * .day - 1], nil), ([0, .hour, 30 * .day], nil),
    ]

    @Test(arguments: gaps) mutating func listHasTheReasonWhyNothingIsCurated(_ ages: [Int], _ gap: CurationGapReason?) {
        for (number, age) in ages.enumerated() { shelf.share("item-\(number)", ago: age) }
        #expect(shelf.report?.curationGap == gap)
        #expect(shelf.report?.curated == (gap == nil))
        #expect(shelf.device.page(of: RankedShelf.app, limit: 1).curationGap == gap)
        #expect(shelf.report?.items.contains { $0.rank.section == .curated } == (gap == nil))
    }

    @Test func rulesSetTheAges() {
        var rules = RankingRules()
        rules.minimumAge = .hour
        rules.maximumAge = .day
        for (age, isCurated) in [(.hour - 1, false), (.hour, true), (.day - 1, true), (.day, false)] {
            var shelf = RankedShelf(rules)
            shelf.share("a", ago: age)
            #expect(shelf.report?.curated == isCurated, "\(age)")
        }
    }
}
