import Attribution
import DeviceModel
import Testing
import WaypostSchema
import WaypostTestSupport

/// Links that are too old follow after Show More.
@Suite struct StaleLinkTests {
    private var device = SharingDevice()
    private var old: MessageID = ""

    init() {
        device.shareAutomatically(with: .tv)
        old = device.receive(Link.show)
        device.advance(days: 20)
        device.receive(Link.otherShow)
    }

    private func showMore(after limit: Int = 4, isExpanded: Bool = false) -> ShowMore {
        device.model.showMore(on: .tv, after: limit, isExpanded: isExpanded)
    }

    @Test(.proves("B54")) mutating func linkOfThirtyDaysLeavesTheUpperPartOfTheShelf() {
        #expect(showMore().shownCount == 2 && showMore().hiddenCount == 0)
        #expect(device.page().stale == nil)
        device.advance(days: 10)
        #expect(device.shelf() == [Link.otherShow, Link.show])
        #expect(showMore().shownCount == 1 && showMore().hiddenCount == 1)
        #expect(device.page(limit: 1).stale == 1 && device.report()?.stale == 1)
        #expect(showMore().title(in: .english) != nil)
        #expect(showMore(isExpanded: true).shownCount == 2)
        device.advance(days: 20)
        #expect(showMore().shownCount == 0 && showMore().hiddenCount == 2)
    }

    @Test(.proves("B54")) mutating func gateSaysThatTheLinkFollowsShowMore() throws {
        device.advance(days: 10)
        let verdict = try #require(device.verdict(at: .curation, on: Link.show))
        #expect(verdict.status == .fail)
        #expect(verdict.explanation.hasPrefix("not in the upper part, but after Show More, since "))
    }

    @Test mutating func pinnedOrRepeatedLinkStays() {
        device.advance(days: 40)
        device.pin(old)
        #expect(device.shelf() == [Link.show, Link.otherShow])
        #expect(showMore().shownCount == 1)
        device.receive(Link.otherShow, from: .sarah, in: .sarah)
        #expect(showMore().shownCount == 2)
    }

    /// Other links in an old message are new there, and too old at the same time.
    @Test mutating func oldMessageThatGetsAnotherLinkIsStaleAndNotTooRecent() throws {
        device.advance(days: 31)
        device.edit(old, to: Link.thirdShow)
        #expect(device.page().stale == 2 && device.page().curationGap == .stale)
        let verdict = try #require(device.verdict(at: .curation, on: Link.thirdShow))
        #expect(verdict.explanation.contains("after Show More"))
    }

    @Test mutating func linkBecomesStaleBeforeItIsEligible() throws {
        device.delete(old)
        device.advance(milliseconds: 30 * Timestamp.day - 5 * Timestamp.minute)
        let other = try #require(device.explanation(of: Link.otherShow).message)
        device.edit(other, to: Link.thirdShow)
        #expect(device.page().curationGap == .tooRecent)
        device.advance(minutes: 6)
        #expect(device.page().curationGap == .stale && device.page().stale == 1)
    }

    @Test mutating func limitStillBoundsTheUpperPart() {
        #expect(showMore(after: 1).shownCount == 1)
        device.advance(days: 10)
        #expect(showMore(after: 0).shownCount == 0)
    }

    @Test mutating func deviceMayShowStaleLinksBeforeShowMore() throws {
        device.advance(days: 10)
        let phone = DeviceDescription(name: "phone", apps: [.tv, .music], staleBehindShowMore: false)
        device.apply(.system(.deviceDescribed(phone)))
        #expect(showMore().shownCount == 2)
        #expect(device.page().stale == nil)
        #expect(device.model.description.staleBehindShowMore == false)
        let verdict = try #require(device.verdict(at: .curation, on: Link.show))
        #expect(!verdict.explanation.contains("Show More"))
    }
}
