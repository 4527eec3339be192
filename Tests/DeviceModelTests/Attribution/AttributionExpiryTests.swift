import Attribution
import DeviceModel
import Testing
import WaypostSchema
import WaypostTestSupport

/// A handle ends with its highlight and stays invalid when the highlight returns.
@Suite struct AttributionExpiryTests {
    private var device = SharingDevice()

    init() {
        device.shareAutomatically(with: .tv, "com.example.guide")
        device.receive(Link.show, as: "message")
    }

    /// Events that end the highlight, and events that restore it; the second list is empty if nothing does.
    static let ends: [(end: DeviceEvent, return: [DeviceEvent])] = [
        (.sharing(.linkRemoved(url: Link.show)), [.sharing(.linkRestored(url: Link.show))]),
        (
            .sharing(.messageDeleted("message")),
            [
                .sharing(
                    .messageReceived(Message(id: "other", conversation: .enrique, sender: .enrique, text: Link.show))
                )
            ]
        ),
        (.sharing(.messageEdited("message", text: "nothing")), [.sharing(.messageEdited("message", text: Link.show))]),
        (
            .sharing(.conversationDeleted(.enrique)),
            [
                .sharing(
                    .messageReceived(Message(id: "other", conversation: .enrique, sender: .enrique, text: Link.show))
                )
            ]
        ),
        (.sharing(.contactRemoved("card-1")), [.sharing(.contactChanged(.enrique))]),
        (
            .sharing(.conversationChanged(Conversation(id: .enrique, participants: [.stranger]))),
            [.sharing(.conversationChanged(Conversation(id: .enrique, participants: [.enrique])))]
        ),
        (.sharing(.sharingSet(.everywhere, isOn: false)), [.sharing(.sharingSet(.everywhere, isOn: true))]),
        (.sharing(.sharingSet(.app(.tv), isOn: false)), [.sharing(.sharingSet(.app(.tv), isOn: true))]),
        (
            .sharing(.sharingSet(.conversation(.enrique), isOn: false)),
            [.sharing(.sharingSet(.conversation(.enrique), isOn: true))]
        ),
        (
            .sharing(.automaticSharingSet(.tv, isOn: false)),
            // An earlier link is not available again, but the same link in a later message is.
            [
                .sharing(.automaticSharingSet(.tv, isOn: true)),
                .sharing(
                    .messageReceived(Message(id: "other", conversation: .enrique, sender: .enrique, text: Link.show))
                ),
            ]
        ),
        (
            .system(.appRemoved(.tv)),
            [
                .system(.appInstalled(.tv)), .sharing(.automaticSharingSet(.tv, isOn: true)),
            ]
        ),
        (.system(.deviceDescribed(DeviceDescription(name: "phone", apps: [.music]))), [.system(.appInstalled(.tv))]),
        (
            .system(.appInstalled(.sharing(.tv, "applinks:tv.example", capability: false))),
            [.system(.appInstalled(.tv))]
        ),
        (.system(.appInstalled(.sharing(.tv, "applinks:other.example"))), [.system(.appInstalled(.tv))]),
        (association(AssociationText.revoked), [association(AssociationText.offering("/shows/*", to: .tv))]),
        (.sharing(.linkResolved(url: Link.show, target: Link.otherShow)), []),
    ]

    private static func association(_ file: String) -> DeviceEvent {
        .system(.associationChecked(domain: "tv.example", source: "https://tv.example", .success(Array(file.utf8))))
    }

    @Test(.proves("B63"), arguments: ends)
    mutating func handleEndsWithItsHighlightAndStaysInvalidWhenTheHighlightReturns(
        _ end: (end: DeviceEvent, return: [DeviceEvent])
    ) {
        device.request()
        #expect(device.view() != nil && device.model.drawing(of: AttributionViewID.first) != nil)
        let effects = device.apply(end.end)
        #expect(device.highlight(for: Link.show) == nil || end.return.isEmpty)
        #expect(effects.provided.isEmpty)
        expectNoView()
        for event in end.return { #expect(device.apply(event).provided.isEmpty) }
        #expect(device.highlight(for: Link.show) != nil)
        expectNoView()
    }

    private mutating func expectNoView() {
        #expect(device.view() == nil && device.model.requestedViews(.first).isEmpty)
        #expect(device.model.drawing(of: AttributionViewID.first) == nil)
        var other = device
        for event in Self.uses { #expect(other.apply(event).ignored == [.unknownView]) }
    }

    /// Every use of a handle by an app or the user.
    private static let uses: [DeviceEvent] = [
        .attribution(.attributionTapped(.tv, .first, nil)), .attribution(.menuItemChosen(.tv, .first, "reply", nil)),
        .attribution(.menuItemChosen(.tv, .first, "remove", nil)),
        .attribution(.attributionAttached(.tv, .first, url: nil, nil)),
        .attribution(.attributionReleased(.tv, .first)),
    ]

    @Test mutating func endedHandleCanBeRequestedAgain() {
        device.request()
        device.apply(.sharing(.linkRemoved(url: Link.show)))
        #expect(device.request().ignored == [.noHighlight])
        device.apply(.sharing(.linkRestored(url: Link.show)))
        #expect(device.request().provided.map(\.view) == [.first])
        #expect(device.people() == ["Enrique"])
    }

    @Test mutating func handleStaysWhileAnotherConversationHasTheLink() {
        device.receive(Link.show, from: .sarah, in: .sarah)
        device.request()
        device.delete("message")
        #expect(device.people() == ["Sarah"])
    }

    @Test mutating func handlesOfOtherHighlightsStay() {
        device.receive(Link.otherShow, from: .sarah, in: .sarah)
        device.request(Link.show, as: .first)
        device.request(Link.otherShow, as: .second)
        device.delete("message")
        #expect(device.view(.first) == nil && device.view(.second) != nil)
    }

    @Test mutating func allHandlesOfAHighlightEnd() {
        device.request(as: .first)
        device.request(as: .second, AttributionPreferences(width: 100))
        device.apply(.sharing(.linkRemoved(url: Link.show)))
        #expect(device.view(.first) == nil && device.view(.second) == nil)
    }

    @Test mutating func handlesOfAnotherAppForTheSameLinkStay() {
        let guide: BundleIdentifier = "com.example.guide"
        device.apply(.system(.appInstalled(.sharing(guide, "applinks:tv.example"))))
        device.fetch(AssociationText.offering("/shows/*", to: .tv, guide), of: "tv.example")
        device.request(in: .tv, as: .first)
        device.request(in: guide, as: .second)
        device.turnOff(.app(.tv))
        #expect(device.view(.first, of: .tv) == nil && device.view(.second, of: guide) != nil)
        device.apply(.system(.appRemoved(guide)))
        #expect(device.model.drawing(of: AttributionViewID.second) == nil)
    }

    @Test mutating func viewOfARemovedHighlightStillLeavesItsWindow() {
        device.request()
        device.attach()
        device.apply(.sharing(.linkRemoved(url: Link.show)))
        #expect(device.detach().ignored.isEmpty)
        #expect(device.detach().ignored == [.unknownView])
    }

    @Test mutating func resolvedShortLinkIsAnotherHighlight() {
        let short = "https://tv.example/shows/s"
        device.receive(short, from: .sarah, in: .sarah)
        device.request(short)
        device.apply(.sharing(.linkResolved(url: short, target: Link.show)))
        #expect(device.view() == nil)
        #expect(device.request(short).provided.count == 1)
        #expect(device.people() == ["Sarah", "Enrique"])
    }
}
