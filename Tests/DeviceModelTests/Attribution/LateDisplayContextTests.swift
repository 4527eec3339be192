import Attribution
import DeviceModel
import Testing
import WaypostSchema
import WaypostTestSupport

/// The time at which a display context of a requested view takes effect.
@Suite struct LateDisplayContextTests {
    private var device = SharingDevice()

    private let detail = AttributionPreferences(displayContext: .detail)

    init() {
        device.shareAutomatically(with: .tv)
        device.receive(Link.show)
    }

    @Test(.proves("B87", "B88")) mutating func contextOfTheRequestAppliesInTheWindow() {
        device.request(as: .first, detail)
        device.attach()
        #expect(device.points(of: Link.show)[.started] == 500)
    }

    @Test(.proves("B89")) mutating func contextOfARequestDefaultsToSummary() {
        device.request()
        device.attach()
        device.advance(minutes: 1)
        device.detach()
        let points = device.points(of: Link.show)
        #expect(points[.started] == nil && points[.consumed] == nil)
    }

    @Test(.proves("B88")) mutating func lateContextIsIgnoredInTheCurrentWindow() {
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

    @Test(.proves("B88")) mutating func lateContextAppliesToTheNextWindow() {
        device.request()
        device.attach()
        device.request(as: .first, detail)
        device.detach()
        device.attach()
        #expect(device.points(of: Link.show)[.started] == 500)
    }

    @Test(.proves("B88")) mutating func lateContextDoesNotChangeThePicture() {
        device.request()
        device.attach()
        let style = device.model.drawing(of: AttributionViewID.first)?.layout.backgroundStyle
        device.request(as: .first, detail)
        #expect(device.model.drawing(of: AttributionViewID.first)?.layout.backgroundStyle == style)
    }

    @Test(.proves("B88")) mutating func lateContextIsIgnoredForAnotherHighlight() {
        device.receive(Link.otherShow, from: .sarah, in: .sarah)
        device.request()
        device.attach()
        #expect(device.request(Link.otherShow, as: .first, detail).ignored == [.displayContextTooLate])
        device.advance(minutes: 1)
        device.detach()
        let points = device.points(of: Link.otherShow)
        #expect(points[.started] == nil && points[.consumed] == nil)
    }

    @Test mutating func otherPreferencesApplyDespiteALateContext() {
        device.request()
        device.attach()
        let preferences = AttributionPreferences(displayContext: .detail, width: 150)
        #expect(device.request(as: .first, preferences).provided.map(\.size.width) == [150])
    }

    @Test(.proves("B88")) mutating func contextSetInTheWindowAppliesToTheNextWindow() {
        device.request()
        device.attach()
        #expect(
            device.apply(.attribution(.attributionContextChanged(.tv, .first, .detail))).ignored == [
                .displayContextTooLate
            ]
        )
        #expect(device.points(of: Link.show)[.started] == nil)
        device.detach()
        device.attach()
        #expect(device.points(of: Link.show)[.started] == 500)
    }

    @Test(.proves("B88")) mutating func contextSetBeforeTheWindowApplies() {
        device.request()
        #expect(device.apply(.attribution(.attributionContextChanged(.tv, .first, .detail))).ignored.isEmpty)
        device.attach()
        #expect(device.points(of: Link.show)[.started] == 500)
    }

    @Test mutating func attachingAViewToAnotherHighlightIsRefused() {
        device.receive(Link.otherShow, from: .sarah, in: .sarah)
        device.request()
        #expect(
            device.apply(.attribution(.attributionAttached(.tv, .first, url: Link.otherShow, nil))).ignored == [
                .noHighlight
            ]
        )
        #expect(device.apply(.attribution(.attributionAttached(.tv, .first, url: Link.show, nil))).ignored.isEmpty)
    }

    @Test mutating func unchangedContextIsNotLate() {
        device.request(as: .first, detail)
        device.attach()
        #expect(device.request(as: .first, detail).ignored.isEmpty)
    }

    @Test mutating func attachingCanOverrideTheContextOfTheRequest() {
        device.request()
        device.attach(.first, .detail)
        #expect(device.points(of: Link.show)[.started] == 500)
    }

    @Test mutating func contextOfARepeatedRequestBeforeTheWindowApplies() {
        device.request()
        #expect(device.request(as: .first, detail).ignored.isEmpty)
        device.attach()
        #expect(device.points(of: Link.show)[.started] == 500)
    }
}
