import Attribution
import DeviceModel
import Testing
import WaypostSchema
import WaypostTestSupport

/// When the display context of a view that was asked for counts.
@Suite struct LateDisplayContextTests {
    private var device = SharingDevice()

    private let detail = AttributionPreferences(displayContext: .detail)

    init() {
        device.shareAutomatically(with: .tv)
        device.receive(Link.show)
    }

    @Test(.proves("B87", "B88")) mutating func contextOfTheRequestIsThatOfTheWindow() {
        device.request(as: .first, detail)
        device.attach()
        #expect(device.points(of: Link.show)[.started] == 500)
    }

    @Test(.proves("B89")) mutating func contextIsSummaryWhereTheRequestSaysNothing() {
        device.request()
        device.attach()
        device.advance(minutes: 1)
        device.detach()
        let points = device.points(of: Link.show)
        #expect(points[.started] == nil && points[.consumed] == nil)
    }

    @Test(.proves("B88")) mutating func contextThatComesTooLateIsIgnoredForNow() {
        device.request()
        device.attach()
        let effects = device.request(as: .first, detail)
        #expect(effects.ignored == [.displayContextTooLate])
        #expect(effects.provided.map(\.view) == [.first])
        device.advance(minutes: 1)
        device.detach()
        let points = device.points(of: Link.show)
        #expect(points[.started] == nil && points[.consumed] == nil)
    }

    @Test(.proves("B88")) mutating func contextThatCameTooLateCountsForTheNextWindow() {
        device.request()
        device.attach()
        device.request(as: .first, detail)
        device.detach()
        device.attach()
        #expect(device.points(of: Link.show)[.started] == 500)
    }

    @Test(.proves("B88")) mutating func pictureIsThatOfTheContextWithWhichTheViewCame() {
        device.request()
        device.attach()
        let style = device.model.drawing(of: AttributionViewID.first)?.layout.backgroundStyle
        device.request(as: .first, detail)
        #expect(device.model.drawing(of: AttributionViewID.first)?.layout.backgroundStyle == style)
    }

    @Test(.proves("B88")) mutating func contextThatComesTooLateIsIgnoredForAnotherHighlightToo() {
        device.receive(Link.otherShow, from: .sarah, in: .sarah)
        device.request()
        device.attach()
        #expect(device.request(Link.otherShow, as: .first, detail).ignored == [.displayContextTooLate])
        device.advance(minutes: 1)
        device.detach()
        let points = device.points(of: Link.otherShow)
        #expect(points[.started] == nil && points[.consumed] == nil)
    }

    @Test mutating func otherPreferencesCountThoughTheContextComesTooLate() {
        device.request()
        device.attach()
        let preferences = AttributionPreferences(displayContext: .detail, width: 150)
        #expect(device.request(as: .first, preferences).provided.map(\.size.width) == [150])
    }

    @Test(.proves("B88")) mutating func contextThatIsSetAfterwardsCountsForTheNextWindow() {
        device.request()
        device.attach()
        #expect(device.happen(.attributionContextChanged(.tv, .first, .detail)).ignored == [.displayContextTooLate])
        #expect(device.points(of: Link.show)[.started] == nil)
        device.detach()
        device.attach()
        #expect(device.points(of: Link.show)[.started] == 500)
    }

    @Test(.proves("B88")) mutating func contextThatIsSetBeforeTheWindowIsInTime() {
        device.request()
        #expect(device.happen(.attributionContextChanged(.tv, .first, .detail)).ignored.isEmpty)
        device.attach()
        #expect(device.points(of: Link.show)[.started] == 500)
    }

    @Test mutating func windowOfAnotherHighlightThanTheRequestedIsRefused() {
        device.receive(Link.otherShow, from: .sarah, in: .sarah)
        device.request()
        #expect(device.happen(.attributionAttached(.tv, .first, url: Link.otherShow, nil)).ignored == [.noHighlight])
        #expect(device.happen(.attributionAttached(.tv, .first, url: Link.show, nil)).ignored.isEmpty)
    }

    @Test mutating func sameContextIsNoMisuse() {
        device.request(as: .first, detail)
        device.attach()
        #expect(device.request(as: .first, detail).ignored.isEmpty)
    }

    @Test mutating func contextThatIsNotThatOfTheRequestCanBeGivenWithTheWindow() {
        device.request()
        device.attach(.first, .detail)
        #expect(device.points(of: Link.show)[.started] == 500)
    }

    @Test mutating func contextOfAnotherRequestBeforeTheWindowCounts() {
        device.request()
        #expect(device.request(as: .first, detail).ignored.isEmpty)
        device.attach()
        #expect(device.points(of: Link.show)[.started] == 500)
    }
}
