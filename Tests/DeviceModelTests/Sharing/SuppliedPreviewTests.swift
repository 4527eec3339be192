import DeviceModel
import Testing
import WaypostSchema

/// The rich previews that apps supply, which end with their highlights.
@Suite struct SuppliedPreviewTests {
    private var device = SharingDevice()

    init() {
        device.shareAutomatically(with: .tv, .music)
        device.receive(Link.show, as: "message")
        device.receive(Link.otherShow, from: .sarah, in: .sarah)
        device.receive(Link.playlist, from: .sarah, in: .sarah)
        for url in [Link.show, Link.otherShow] { supply(url, of: .tv) }
        supply(Link.playlist, of: .music)
    }

    private mutating func supply(_ url: String, of app: BundleIdentifier) {
        device.apply(.attribution(.previewSupplied(app, LinkPreview(url: url, title: "Title of \(url)"))))
    }

    /// The URLs of the previews of both apps.
    private var urls: [String] {
        (device.model.previews(of: .tv) + device.model.previews(of: .music)).map(\.url)
    }

    @Test func previewIsThatOfItsAppAndLink() {
        #expect(urls == [Link.show, Link.otherShow, Link.playlist])
        #expect(device.model.preview(of: Link.show, for: .tv)?.title == "Title of \(Link.show)")
        #expect(device.model.preview(of: Link.show, for: .music) == nil)
        #expect(device.model.preview(of: Link.thirdShow, for: .tv) == nil)
    }

    /// Events that end the highlight of the first link alone.
    static let ends: [DeviceEvent] = [
        .sharing(.linkRemoved(url: Link.show)), .sharing(.messageDeleted("message")),
        .sharing(.messageEdited("message", text: "nothing")), .sharing(.contactRemoved("card-1")),
        .sharing(.conversationDeleted(.enrique)), .sharing(.sharingSet(.conversation(.enrique), isOn: false)),
    ]

    @Test(arguments: ends) mutating func previewEndsWithItsHighlightAndOthersStay(_ end: DeviceEvent) {
        device.apply(end)
        #expect(device.highlight(for: Link.show) == nil)
        #expect(device.model.preview(of: Link.show, for: .tv) == nil)
        #expect(urls == [Link.otherShow, Link.playlist])
    }

    @Test mutating func allPreviewsEndThatLoseTheirHighlightsAtOnce() {
        device.turnOff(.app(.tv))
        #expect(urls == [Link.playlist])
        device.turnOff(.everywhere)
        #expect(urls.isEmpty)
    }

    @Test mutating func previewDoesNotReturnWithItsHighlight() {
        device.apply(.sharing(.linkRemoved(url: Link.show)))
        device.apply(.sharing(.linkRestored(url: Link.show)))
        #expect(device.highlight(for: Link.show) != nil)
        #expect(device.model.preview(of: Link.show, for: .tv) == nil)
        supply(Link.show, of: .tv)
        #expect(urls == [Link.show, Link.otherShow, Link.playlist])
    }

    @Test mutating func previewStaysIfItsHighlightOnlyChanges() {
        device.receive(Link.show, from: .sarah, in: .sarah)
        device.delete("message")
        #expect(device.highlight(for: Link.show) != nil)
        #expect(urls == [Link.show, Link.otherShow, Link.playlist])
    }
}
