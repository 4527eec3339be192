import Attribution
import Testing
import WaypostSchema
import WaypostTestSupport

/// The cases in which an app receives an attribution view again.
@Suite struct AttributionUpdateTests {
    private var device = SharingDevice()

    init() {
        device.shareAutomatically(with: .tv)
        device.receive(Link.show, as: "message")
        device.advance(minutes: 20)
    }

    /// Events that change the picture, and the people in it afterwards.
    static let changes: [(event: DeviceEvent, people: [String])] = [
        (
            .sharing(.messageReceived(Message(id: "m", conversation: .sarah, sender: .sarah, text: Link.show))),
            ["Sarah", "Enrique"]
        ),
        (
            .sharing(.messageReceived(Message(id: "m", conversation: .enrique, sender: .sarah, text: Link.show))),
            ["Sarah"]
        ),
        (
            .sharing(.contactChanged(Contact(id: "card-1", givenName: "Maximiliane", handles: [.enrique]))),
            ["Maximiliane"]
        ),
        (
            .sharing(.contactChanged(Contact(id: "card-0", givenName: "Maximiliane", handles: [.enrique]))),
            ["Maximiliane"]
        ),
        (
            .sharing(
                .messageReceived(
                    Message(id: "m", conversation: .sarah, sender: .sarah, text: Link.show, sentAt: .talk)
                )
            ),
            ["Enrique", "Sarah"]
        ),
        (.sharing(.linkPinned("message", url: nil)), ["Enrique"]),
    ]

    @Test(.proves("B56", "B64"), arguments: changes, [nil, 200] as [Double?])
    mutating func viewWithOtherPeopleIsDrawnAgainAndNotProvidedAgain(
        _ change: (event: DeviceEvent, people: [String]),
        _ width: Double?
    ) throws {
        let before = try #require(device.request(as: .first, AttributionPreferences(width: width)).provided.first)
        let effects = device.apply(change.event)
        #expect(effects.provided.isEmpty)
        #expect(device.people() == change.people)
        #expect(device.view() == before)
    }

    @Test mutating func deletingTheLatestMessageShowsTheSenderOfTheOneBefore() {
        device.receive(Link.show, from: .sarah, in: .enrique, as: "later")
        device.request()
        #expect(device.people() == ["Sarah"])
        #expect(device.delete("later").provided.isEmpty)
        #expect(device.people() == ["Enrique"])
    }

    @Test mutating func editingTheLinkOutOfTheLatestMessageUpdatesTheView() {
        device.receive(Link.show, from: .sarah, in: .enrique, as: "later")
        device.request()
        #expect(device.edit("later", to: "nothing").provided.isEmpty)
        #expect(device.people() == ["Enrique"])
    }

    @Test mutating func shortLinkThatResolvesToTheLinkAddsItsSender() {
        let short = "https://short.example/a"
        device.receive(short, from: .sarah, in: .sarah, sentAt: .talk)
        device.request()
        #expect(device.apply(.sharing(.linkResolved(url: short, target: Link.show))).provided.isEmpty)
        #expect(device.people() == ["Enrique", "Sarah"])
    }

    @Test(.proves("B85")) mutating func largerTextMakesTheViewLarger() throws {
        let before = try #require(device.request().provided.first)
        let after = try #require(device.set(.accessibilityExtraLarge).provided.first)
        #expect(after.size.height > before.size.height && after.size.width > before.size.width)
        #expect(device.set(.accessibilityExtraLarge).provided.isEmpty)
    }

    @Test mutating func otherLanguageChangesTheMenuTitles() {
        device.request(as: .first, AttributionPreferences(width: 200))
        let provided = device.set(language: "ja").provided
        #expect(provided.map { $0.menu.map(\.title) } == [["返信", "削除"]])
        #expect(device.set(language: "ja-JP").provided.isEmpty)
    }

    @Test mutating func titleInTheFormerLanguageIsAFindingAfterALanguageChange() {
        let preferences = AttributionPreferences(width: 200, menuTitleForHideAction: "Remove Link")
        #expect(device.request(as: .first, preferences).provided.map(\.findings) == [[]])
        let provided = device.set(language: "ko").provided
        #expect(provided.map { $0.findings.map(\.code) } == [[.hideTitleWithoutRemove]])
    }

    @Test mutating func unusableDescriptionChangesNoView() {
        device.request()
        let twice = DeviceDescription(name: "phone", apps: [.tv, .tv], language: "ja")
        let effects = device.apply(.system(.deviceDescribed(twice)))
        #expect(effects.ignored == [.unusableDescription] && effects.provided.isEmpty)
        #expect(device.view()?.menu.map(\.title) == ["Reply", "Remove"])
    }

    @Test mutating func allChangedViewsAreProvidedAgainInOrder() {
        for view in [.second, .first] as [AttributionViewID] { device.request(as: view) }
        let bounded = AttributionPreferences(
            minimumContentSizeCategory: .large,
            maximumContentSizeCategory: .large
        )
        device.request(as: "handle-3", bounded)
        #expect(device.set(.extraLarge).provided.map(\.view) == [.first, .second])
    }

    @Test mutating func timeAndOtherLinksChangeNoView() {
        device.request()
        let message = Message(id: "m", conversation: .sarah, sender: .sarah, text: Link.otherShow)
        #expect(device.apply(.sharing(.messageReceived(message))).provided.isEmpty)
        #expect(device.advance(days: 40).provided.isEmpty)
    }
}
