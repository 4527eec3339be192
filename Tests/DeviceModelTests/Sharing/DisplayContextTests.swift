import Foundation
import Testing
import WaypostSchema
import WaypostTestSupport

/// The feedback that apps give through the way they show content.
@Suite struct DisplayContextTests {
    private var device = SharingDevice()

    init() {
        device.shareAutomatically(with: .tv, "com.example.guide")
        device.receive(Link.show)
        device.advance(minutes: 60)
        device.receive(Link.otherShow, from: .sarah, in: .sarah)
        device.advance(minutes: 60)
    }

    @Test(.proves("B50", "B53")) mutating func interactionLiftsAnItem() {
        #expect(device.shelf() == [Link.otherShow, Link.show])
        device.apply(.sharing(.highlightInteracted(.tv, url: Link.show)))
        #expect(device.shelf() == [Link.show, Link.otherShow])
        #expect(device.points(of: Link.show)[.interacted] == 585)
    }

    @Test(.proves("B50", "B90", "B91")) mutating func startedContentIsLiftedAndConsumedContentIsNot() {
        device.show(Link.show, .detail, milliseconds: 10_000)
        #expect(device.shelf() == [Link.show, Link.otherShow])
        #expect(device.points(of: Link.show)[.started] == 500)
        device.show(Link.show, .detail, milliseconds: 20_000)
        #expect(device.shelf() == [Link.otherShow, Link.show])
        #expect(device.points(of: Link.show)[.consumed] == -4_000)
        #expect(device.points(of: Link.show)[.started] == nil)
    }

    @Test(.proves("B52", "B87")) mutating func displayContextAffectsTheRank() {
        var (summary, detail) = (device, device)
        summary.show(Link.show, .summary, milliseconds: 10_000)
        detail.show(Link.show, .detail, milliseconds: 10_000)
        #expect(summary.shelf() == [Link.otherShow, Link.show])
        #expect(detail.shelf() == [Link.show, Link.otherShow])
    }

    @Test(.proves("B51")) mutating func pinIsASignal() {
        let before = device.points(of: Link.show)
        device.pin(device.receive("\(Link.show)", from: .enrique, in: .enrique))
        let after = device.points(of: Link.show)
        #expect(before[.pinned] == nil && after[.pinned] == 1_000)
        device.advance(minutes: 20)
        #expect(device.shelf() == [Link.show, Link.otherShow])
    }

    @Test(.proves("B91")) mutating func contentThatIsShownRepeatedlyWithoutInteractionSinks() {
        for _ in 0..<3 {
            device.show(Link.otherShow)
            device.advance(minutes: 15)
        }
        #expect(device.points(of: Link.otherShow)[.ignored] == -250)
        #expect(device.shelf() == [Link.show, Link.otherShow])
    }

    @Test(.proves("B89")) mutating func contextDefaultsToSummary() throws {
        let line =
            #"{"at":1654604800000,"type":"attributionAttached","app":"com.example.tv","view":"v","url":"\#(Link.show)"}"#
        let entry = try JSONDecoder().decode(JournalEntry.self, from: Data(line.utf8))
        #expect(entry.event == .attribution(.attributionAttached(.tv, "v", url: Link.show, nil)))
        var (silent, explicit) = (device, device)
        for _ in 0..<4 {
            silent.apply(entry.event)
            silent.apply(.attribution(.attributionDetached(.tv, "v")))
            silent.advance(minutes: 15)
            explicit.show(Link.show, .summary, milliseconds: 1_000)
            explicit.advance(minutes: 15)
        }
        #expect(silent.points(of: Link.show)[.ignored] == -500)
        #expect(silent.points(of: Link.show) == explicit.points(of: Link.show))
    }

    @Test mutating func lateContextIsIgnored() {
        device.apply(.attribution(.attributionAttached(.tv, "v", url: Link.show, .summary)))
        let change = DeviceEvent.attribution(.attributionContextChanged(.tv, "v", .detail))
        #expect(device.apply(change).ignored == [.displayContextTooLate])
        device.advance(minutes: 10)
        device.apply(.attribution(.attributionDetached(.tv, "v")))
        #expect(device.points(of: Link.show)[.started] == nil && device.points(of: Link.show)[.consumed] == nil)
        #expect(device.apply(change).ignored == [.unknownView])
        #expect(
            device.apply(.attribution(.attributionContextChanged("absent", "v", .detail))).ignored == [.unknownApp]
        )
    }

    @Test mutating func viewAttachedToAnotherHighlightLeavesTheFormerOne() {
        device.apply(.attribution(.attributionAttached(.tv, "v", url: Link.show, .detail)))
        device.advance(milliseconds: 40_000)
        device.apply(.attribution(.attributionAttached(.tv, "v", url: Link.otherShow, .detail)))
        #expect(device.points(of: Link.show)[.consumed] == -4_000)
        #expect(device.points(of: Link.otherShow)[.started] == 500)
    }

    @Test mutating func timesOfTwoViewsOfAnItemAddUp() {
        device.show(Link.show, .detail, milliseconds: 16_000)
        device.apply(.attribution(.attributionAttached(.tv, "a", url: Link.show, .detail)))
        device.apply(.attribution(.attributionAttached(.tv, "b", url: Link.show, .summary)))
        device.advance(milliseconds: 14_000)
        #expect(device.apply(.attribution(.attributionDetached(.tv, "a"))).ignored.isEmpty)
        #expect(device.points(of: Link.show)[.consumed] == -4_000)
    }

    @Test mutating func feedbackAffectsOnlyItsApp() {
        let guide: BundleIdentifier = "com.example.guide"
        device.apply(.system(.appInstalled(.sharing(guide, "applinks:tv.example"))))
        device.fetch(AssociationText.offering("/shows/*", to: .tv, guide), of: "tv.example")
        device.apply(.sharing(.contentFinished(.tv, url: Link.otherShow)))
        #expect(device.shelf(of: .tv) == [Link.show, Link.otherShow])
        #expect(device.shelf(of: guide) == [Link.otherShow, Link.show])
    }

    @Test mutating func feedbackWithoutAHighlightIsIgnored() {
        for event in [
            DeviceEvent.sharing(.highlightInteracted(.tv, url: Link.playlist)),
            .sharing(.contentFinished(.tv, url: Link.thirdShow)),
            .sharing(.highlightInteracted(.music, url: Link.show)),
        ] {
            #expect(device.apply(event).ignored == [.noHighlight])
        }
        #expect(device.apply(.sharing(.contentFinished("absent", url: Link.show))).ignored == [.unknownApp])
        #expect(device.apply(.attribution(.attributionDetached(.tv, "v"))).ignored == [.unknownView])
        #expect(device.apply(.attribution(.attributionDetached("absent", "v"))).ignored == [.unknownApp])
    }

    @Test mutating func feedbackOutlivesAnAbsenceOfTheLink() {
        device.apply(.sharing(.contentFinished(.tv, url: Link.show)))
        device.turnOff(.everywhere)
        device.turnOn(.everywhere)
        #expect(device.points(of: Link.show)[.consumed] == -4_000)
    }
}
