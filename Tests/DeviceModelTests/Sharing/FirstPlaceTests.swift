import Testing
import WaypostSchema
import WaypostTestSupport

/// Items that are too recent or too old to be first.
@Suite struct FirstPlaceTests {
    private var device = SharingDevice()

    init() {
        device.shareAutomatically(with: .tv)
        device.receive(Link.show)
    }

    @Test(.proves("B54")) mutating func itemIsEligibleFromTenMinutesToThirtyDays() {
        #expect(device.page().curationGap == .tooRecent)
        device.advance(minutes: 9)
        #expect(!device.page().curated)
        device.advance(minutes: 1)
        #expect(device.page().curated && device.page().curationGap == nil)
        device.advance(milliseconds: 30 * Timestamp.day - 10 * Timestamp.minute - 1)
        #expect(device.page().curated)
        device.advance(milliseconds: 1)
        #expect(!device.page().curated && device.page().curationGap == .stale)
        #expect(device.shelf() == [Link.show])
    }

    @Test mutating func deadlineIsTheNextTimeAtWhichTheListChanges() {
        #expect(device.deadline == (device.items().first?.sharedAt.rawValue ?? 0) + 10 * Timestamp.minute)
        device.advance(minutes: 10)
        #expect(device.deadline == (device.items().first?.sharedAt.rawValue ?? 0) + 30 * Timestamp.day)
        device.advance(days: 30)
        #expect(device.deadline == nil)
    }

    @Test mutating func itemThatIsTooRecentIsNotFirst() {
        device.advance(minutes: 30)
        device.receive(Link.otherShow)
        device.receive(Link.thirdShow)
        #expect(device.shelf() == [Link.show, Link.thirdShow, Link.otherShow])
        device.advance(minutes: 10)
        #expect(device.shelf() == [Link.thirdShow, Link.otherShow, Link.show])
    }

    @Test mutating func editMakesAnItemTooRecentAgain() {
        device.advance(minutes: 9)
        device.edit("message-1", to: "Watch \(Link.show)")
        device.advance(minutes: 5)
        #expect(device.page().curationGap == .tooRecent)
        device.advance(minutes: 5)
        #expect(device.page().curated)
    }

    @Test mutating func pinnedItemsComeFirstIfNothingIsCurated() {
        device.advance(days: 31)
        device.receive(Link.otherShow)
        let message = device.receive(Link.thirdShow)
        device.receive("https://tv.example/shows/4")
        device.pin(message)
        #expect(!device.page().curated)
        #expect(device.shelf() == [Link.thirdShow, "https://tv.example/shows/4", Link.otherShow, Link.show])
    }

    @Test mutating func clockThatIsSetBackDoesNotTurnBackTime() throws {
        device.advance(minutes: 30)
        var late = device
        late.pass(-25 * Timestamp.minute)
        late.receive(Link.otherShow)
        #expect(late.page().curated)
        #expect(try #require(late.item(Link.otherShow)).sharedAt > .talk + 30 * Timestamp.minute)
    }
}
