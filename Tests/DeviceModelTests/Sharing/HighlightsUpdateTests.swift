import Testing
import WaypostSchema
import WaypostTestSupport

/// The updates that an app receives about changes of its highlights.
@Suite struct HighlightsUpdateTests {
    private var device = SharingDevice()

    init() {
        device.shareAutomatically(with: .tv)
    }

    private func changes(_ effects: [DeviceEffect]) -> [HighlightChange.Kind] {
        effects.updates.flatMap(\.changes).map(\.change)
    }

    private mutating func send(_ url: String, in conversation: ConversationID = .enrique) -> [DeviceEffect] {
        let message = Message(id: device.nextMessage(), conversation: conversation, sender: .enrique, text: url)
        return device.apply(.sharing(.messageReceived(message)))
    }

    @Test(.proves("B74")) mutating func updateReportsAdditionUpdateAndRemoval() {
        #expect(changes(send(Link.show)) == [.added])
        #expect(changes(send("\(Link.show)?utm_source=share")) == [.updated])
        #expect(changes(device.apply(.sharing(.conversationDeleted(.enrique)))) == [.removed])
    }

    @Test mutating func updateReportsAMove() throws {
        _ = send(Link.show)
        _ = send(Link.otherShow)
        #expect(device.shelf() == [Link.otherShow, Link.show])
        device.advance(minutes: 20)
        let update = try #require(device.apply(.sharing(.highlightInteracted(.tv, url: Link.show))).updates.first)
        #expect(update.changes.map(\.change) == [.moved])
        // When two items change places, either can be the one that moves.
        #expect(update.changes.map { Set([$0.from, $0.to]) } == [[0, 1]])
        #expect(device.shelf() == [Link.show, Link.otherShow])
    }

    @Test mutating func updateReportsAPin() {
        let message = device.receive(Link.show)
        #expect(changes(device.pin(message)) == [.updated])
        #expect(changes(device.pin(message)).isEmpty)
        #expect(changes(device.unpin(message)) == [.updated])
    }

    @Test mutating func updateReportsAnotherConversation() {
        _ = send(Link.show)
        let effects = send(Link.show, in: .group)
        #expect(changes(effects) == [.updated])
        #expect(effects.updates.first?.changes.first?.from == 0)
    }

    @Test mutating func editThatKeepsTheLinkSendsNoUpdate() {
        let message = device.receive(Link.show)
        let before = device.page()
        #expect(device.edit(message, to: "Now with more words: \(Link.show)").updates.isEmpty)
        #expect(device.page() == before)
    }

    @Test mutating func timeThatChangesTheOrderSendsAnUpdate() {
        device.pin(device.receive(Link.show))
        device.advance(minutes: 5)
        _ = send(Link.otherShow, in: .sarah)
        device.advance(days: 7)
        device.receive(Link.thirdShow)
        device.apply(.sharing(.contentFinished(.tv, url: Link.show)))
        #expect(device.shelf() == [Link.otherShow, Link.show, Link.thirdShow])
        let updates = device.advance(minutes: 11).updates
        #expect(updates.flatMap(\.changes).map(\.change) == [.moved, .moved])
        #expect(device.shelf() == [Link.thirdShow, Link.show, Link.otherShow])
    }

    @Test mutating func updatesAreNumberedForEachAppFromOne() {
        device.shareAutomatically(with: .music)
        for number in 1...3 { device.receive("\(Link.show)\(number) \(Link.playlist)") }
        for app in [BundleIdentifier.tv, .music] {
            let numbers = device.updates.filter { $0.app == app }.map(\.number)
            #expect(numbers == Array(1...numbers.count))
            #expect(numbers.count > 1)
        }
    }

    @Test mutating func updateHasTheStateTheTotalAndTheCuration() {
        _ = send(Link.show)
        #expect(device.updates.last.map { [$0.total, $0.curated ? 1 : 0] } == [1, 0])
        #expect(device.updates.last?.state == .ready)
        device.advance(minutes: 20)
        let update = send(Link.otherShow).updates.first
        #expect(update?.total == 2 && update?.curated == true)
        #expect(device.turnOff(.everywhere).updates.map(\.state) == [.denied, .denied])
    }

    /// Events that change nothing for the apps on the device.
    private static let quiet: [DeviceEvent] = [
        .system(.timePassed),
        .sharing(.messageReceived(Message(id: "x", conversation: .sarah, sender: .sarah, text: "Hello"))),
        .sharing(.messageReceived(Message(id: "x", conversation: .enrique, text: Link.show))),
        .sharing(.messageReceived(Message(id: "x", conversation: .stranger, sender: .stranger, text: Link.otherShow))),
        .sharing(
            .messageReceived(
                Message(id: "x", conversation: .sarah, sender: .sarah, text: "https://elsewhere.example/1")
            )
        ),
        .sharing(
            .messageReceived(Message(id: "message-1", conversation: .sarah, sender: .sarah, text: Link.otherShow))
        ),
        .sharing(
            .messageReceived(
                Message(id: "x", conversation: .enrique, sender: .enrique, text: Link.show, sentAt: .talk)
            )
        ),
        .sharing(.contactChanged(Contact(id: "card-1", givenName: "Henry", handles: [.enrique]))),
        .sharing(.contactChanged(Contact(id: "new", handles: [.stranger]))),
        .sharing(.conversationChanged(Conversation(id: .enrique, name: "Us", participants: [.enrique]))),
        .sharing(.linkResolved(url: "https://short.example/a", target: Link.show)),
        .sharing(.linkRemoved(url: Link.otherShow)),
        .sharing(.linkUnpinned("message-1", url: nil)),
        .sharing(.sharingSet(.everywhere, isOn: true)),
        .sharing(.sharingSet(.conversation(.group), isOn: false)),
        .sharing(.automaticSharingSet(.tv, isOn: true)),
        .attribution(.attributionAttached(.tv, "view", url: Link.show, .summary)),
        .attribution(.attributionDetached(.tv, "view")),
        .sharing(.highlightInteracted(.tv, url: Link.show)),
        .sharing(.contentFinished(.tv, url: Link.otherShow)),
        .system(.appInstalled(.tv)),
    ]

    @Test(arguments: quiet)
    mutating func eventWithoutAChangeForAnAppSendsNoUpdate(_ event: DeviceEvent) {
        _ = send(Link.show)
        device.advance(minutes: 20)
        let before = device.page()
        #expect(device.apply(event).updates.isEmpty)
        #expect(device.page() == before)
    }
}
