import Testing
import WaypostSchema
import WaypostTestSupport

/// An app's use of the highlight center, a highlight and an attribution view.
@Suite struct HighlightCenterTests {
    private var device = SharingDevice()

    init() {
        device.shareAutomatically(with: .tv)
    }

    @Test(.proves("B71", "B79")) mutating func everyHighlightCanHaveItsOwnAttributionView() {
        for url in [Link.show, Link.otherShow, Link.thirdShow] { device.receive(url) }
        let highlights = device.page().highlights
        #expect(highlights.count == 3)
        for highlight in highlights {
            let view = AttributionViewID(rawValue: "view of \(highlight.id)")
            #expect(device.apply(.attribution(.attributionAttached(.tv, view, url: highlight.url, .summary))).isEmpty)
        }
        for highlight in highlights {
            let view = AttributionViewID(rawValue: "view of \(highlight.id)")
            #expect(device.apply(.attribution(.attributionDetached(.tv, view))).isEmpty)
            #expect(device.apply(.attribution(.attributionDetached(.tv, view))).ignored == [.unknownView])
        }
    }

    @Test(.proves("B79")) mutating func attributionViewNeedsAHighlight() {
        let attached = DeviceEvent.attribution(.attributionAttached(.tv, "view", url: Link.show, .summary))
        #expect(device.apply(attached).ignored == [.noHighlight])
        device.receive(Link.show)
        #expect(device.apply(attached).ignored.isEmpty)
        #expect(
            device.apply(.attribution(.attributionAttached(.music, "view", url: Link.show, .summary))).ignored == [
                .noHighlight
            ]
        )
        #expect(
            device.apply(.attribution(.attributionAttached("absent", "view", url: Link.show, .summary))).ignored == [
                .unknownApp
            ]
        )
    }

    @Test(.proves("B73", "B75")) mutating func highlightsHaveTheSharedURLs() {
        device.receive("Have a look: \(Link.show)?utm_source=share.")
        device.receive(Link.otherShow)
        #expect(device.page().highlights.map(\.url) == [Link.otherShow, "\(Link.show)?utm_source=share"])
    }

    @Test(.proves("B77")) mutating func listReadInTheCallbackMatchesTheUpdate() {
        var read: [[String]] = []
        for url in [Link.show, Link.otherShow] {
            let message = Message(id: device.nextMessage(), conversation: .sarah, sender: .sarah, text: url)
            for update in device.apply(.sharing(.messageReceived(message))).updates {
                #expect(device.page(of: update.app).total == update.total)
                read.append(device.shelf(of: update.app))
            }
        }
        #expect(read == [[Link.show], [Link.otherShow, Link.show]])
    }

    @Test(.proves("B72")) mutating func centerHasOnlyHighlightsOfItsApp() {
        device.shareAutomatically(with: .music)
        device.receive("\(Link.show) \(Link.playlist)")
        #expect(device.shelf(of: .tv) == [Link.show])
        #expect(device.shelf(of: .music) == [Link.playlist])
        for update in device.updates {
            let host = update.app == .tv ? "https://tv.example/" : "https://music.example/"
            #expect(update.changes.allSatisfy { $0.highlight.url.hasPrefix(host) })
        }
    }
}
