import Attribution
import Testing
import WaypostSchema
import WaypostTestSupport

/// The feedback of requested views: the same as that of views that a journal attaches without a request.
@Suite struct RequestedViewFeedbackTests {
    private var device = SharingDevice()

    init() {
        device.shareAutomatically(with: .tv)
        device.receive(Link.show)
        device.advance(minutes: 60)
        device.receive(Link.otherShow, from: .sarah, in: .sarah)
        device.advance(minutes: 60)
    }

    /// How long a view is in a window each time, the pause after it, the repetitions, and the resulting points.
    static let summaries: [(milliseconds: Int, pause: Int, times: Int, points: Int?)] = [
        (1_000, 11, 2, nil), (1_000, 11, 3, -250), (1_000, 11, 5, -750), (1_000, 11, 20, -1_500), (999, 11, 5, nil),
        (1_000, 1, 5, nil),
    ]

    @Test(.proves("B52", "B91"), arguments: summaries)
    mutating func summaryOfASecondIsAnImpressionOncePerTenMinutes(
        _ summary: (milliseconds: Int, pause: Int, times: Int, points: Int?)
    ) {
        device.request(Link.otherShow)
        for _ in 0..<summary.times {
            device.show(.first, milliseconds: summary.milliseconds)
            device.advance(minutes: summary.pause)
        }
        #expect(device.points(of: Link.otherShow)[.ignored] == summary.points)
    }

    @Test(.proves("B90", "B91")) mutating func timeInDetailAddsUpToConsumption() {
        device.request(as: .first, AttributionPreferences(displayContext: .detail))
        device.show(.first, milliseconds: 29_999)
        #expect(device.points(of: Link.show)[.started] == 500)
        #expect(device.points(of: Link.show)[.consumed] == nil)
        device.show(.first, milliseconds: 1)
        #expect(device.points(of: Link.show)[.consumed] == -4_000)
    }

    @Test(.proves("B53"), arguments: [DisplayContext.summary, .detail], [500, 1_000, 40_000])
    mutating func requestedViewsGiveTheSameFeedbackAsOthers(_ context: DisplayContext, _ milliseconds: Int) {
        var other = device
        device.request(Link.otherShow, as: .first, AttributionPreferences(displayContext: context))
        for _ in 0..<4 {
            device.show(.first, milliseconds: milliseconds)
            device.advance(minutes: 10)
            other.show(Link.otherShow, context, milliseconds: milliseconds)
            other.advance(minutes: 10)
        }
        #expect(device.points(of: Link.otherShow) == other.points(of: Link.otherShow))
        #expect(device.shelf() == other.shelf())
    }

    @Test(.proves("B50")) mutating func repeatedTapsCountAsOneInteraction() {
        device.request(Link.show)
        #expect(device.shelf() == [Link.otherShow, Link.show])
        let effects = device.tap()
        #expect(effects.updates.map { $0.changes.map(\.change) } == [[.moved]])
        #expect(device.shelf() == [Link.show, Link.otherShow])
        device.dismiss()
        device.choose(.reply)
        #expect(device.points(of: Link.show)[.interacted] == 585)
    }

    @Test mutating func releasedViewLeavesItsWindow() {
        device.request(as: .first, AttributionPreferences(displayContext: .detail))
        device.attach()
        device.advance(milliseconds: 40_000)
        device.release()
        #expect(device.points(of: Link.show)[.consumed] == -4_000)
        #expect(device.detach().ignored == [.unknownView])
    }

    @Test(.proves("B80")) mutating func viewThatGetsAnotherHighlightInItsWindowLeavesTheFormerOne() {
        device.request(as: .first, AttributionPreferences(displayContext: .detail))
        device.attach()
        device.advance(milliseconds: 40_000)
        device.request(Link.otherShow, as: .first, AttributionPreferences(displayContext: .detail))
        #expect(device.points(of: Link.show)[.consumed] == -4_000)
        #expect(device.points(of: Link.otherShow)[.started] == 500)
        device.advance(milliseconds: 40_000)
        device.detach()
        #expect(device.points(of: Link.otherShow)[.consumed] == -4_000)
    }

    @Test mutating func requestForTheSameHighlightKeepsTheWindow() {
        let detail = AttributionPreferences(displayContext: .detail)
        device.request(as: .first, detail)
        device.attach()
        device.advance(milliseconds: 20_000)
        device.request(as: .first, detail)
        #expect(device.points(of: Link.show)[.consumed] == nil)
        device.advance(milliseconds: 20_000)
        device.detach()
        #expect(device.points(of: Link.show)[.consumed] == -4_000)
    }

    @Test mutating func requestForAViewInItsWindowIsNotASecondImpression() {
        for _ in 0..<3 {
            device.apply(.attribution(.attributionAttached(.tv, .first, url: Link.otherShow, nil)))
            // Neither half of the time is an impression on its own.
            device.pass(-500)
            device.request(Link.otherShow)
            device.pass(-500)
            device.detach()
            device.release()
            device.advance(minutes: 15)
        }
        #expect(device.points(of: Link.otherShow)[.ignored] == -250)
    }

    @Test mutating func onlyRequestedViewCanBeAttachedWithoutAURL() {
        #expect(device.attach().ignored == [.unknownView])
        #expect(device.attach(of: "absent").ignored == [.unknownView])
        device.request()
        #expect(device.attach().ignored.isEmpty)
    }
}
