import Attribution
import Testing
import WaypostSchema
import WaypostTestSupport

/// A tap on an attribution view, and *Reply* in its menu, lead to the conversation inside the app.
@Suite struct TappedViewTests {
    private var device = SharingDevice()

    init() {
        device.shareAutomatically(with: .tv, .music)
        device.receive("\(Link.show) \(Link.playlist)")
        device.request()
    }

    /// The two ways to the conversation.
    static let ways: [DeviceEvent] = [
        .attribution(.attributionTapped(.tv, .first, nil)), .attribution(.menuItemChosen(.tv, .first, "reply", nil)),
    ]

    @Test(.proves("B3", "B23", "B24", "B60"), arguments: ways)
    mutating func onlyConversationIsPresentedOverTheApp(_ way: DeviceEvent) {
        let effects = device.apply(way)
        #expect(
            effects == [
                .attribution(.presentationChanged(PresentationNotice(app: .tv, view: .first, state: .presented))),
                .attribution(
                    .conversationPresented(
                        PresentedConversation(
                            app: .tv,
                            url: Link.show,
                            conversation: .enrique,
                            title: "Enrique".isolated
                        )
                    )
                ),
            ]
        )
    }

    @Test(.proves("B26", "B27")) mutating func replyInTheMenuIsTheSameAsATap() {
        device.receive(Link.show, from: .sarah, in: .sarah)
        device.advance(minutes: 30)
        var other = device
        #expect(device.apply(Self.ways[0]) == other.apply(Self.ways[1]))
        #expect(device.points(of: Link.show) == other.points(of: Link.show))
        #expect(device.talk(in: .sarah) == other.talk(in: .sarah))
        #expect(device.reply(in: .sarah, as: "reply") == other.reply(in: .sarah, as: "reply"))
    }

    @Test(.proves("B24")) mutating func titleOfAGroupIsItsName() {
        device.converse(.enrique, .sarah, in: .group, name: "Film night")
        device.receive(Link.otherShow, from: .sarah, in: .group)
        device.request(Link.otherShow, as: .second)
        let conversations = device.tap(.second).conversations
        #expect(conversations.map(\.title) == ["Film night"])
        #expect(conversations.map(\.conversation) == [.group])
    }

    @Test mutating func conversationHasTheURLOfTheRequest() {
        device.request("\(Link.show)?utm_source=mine")
        #expect(device.tap().conversations.map(\.url) == ["\(Link.show)?utm_source=mine"])
    }

    @Test(.proves("B64", "B65")) mutating func appIsNotifiedOfPresentationAndDismissal() {
        let effects = device.tap() + device.dismiss()
        #expect(effects.notices.map(\.state) == [.presented, .dismissed])
        #expect(effects.notices.allSatisfy { $0.app == .tv && $0.view == .first })
        #expect(device.dismiss().ignored == [.notPresented])
    }

    @Test mutating func dismissalWithoutAReplyReturnsToTheContent() {
        device.tap()
        let effects = device.dismiss()
        #expect(effects.places == [ContentPlace(app: .tv, url: Link.show)])
        #expect(effects.kinds == ["presentationChanged", "contentReturned"])
    }

    @Test mutating func secondTapDismissesTheFirstConversation() {
        device.receive(Link.otherShow, from: .sarah, in: .sarah)
        device.request(Link.otherShow, as: .second)
        device.tap(.first)
        let effects = device.tap(.second)
        #expect(effects.notices.map(\.state) == [.dismissed, .presented])
        #expect(effects.notices.map(\.view) == [.first, .second])
        #expect(effects.conversations.map(\.conversation) == [.sarah])
        #expect(device.reply(in: .enrique).ignored == [.notPresented])
        #expect(device.reply(in: .sarah).places == [ContentPlace(app: .tv, url: Link.otherShow)])
    }

    @Test mutating func refusedTapLeavesThePresentedConversation() {
        device.tap()
        #expect(device.tap("never-was").ignored == [.unknownView])
        #expect(device.tap(.first, of: .music).ignored == [.unknownView])
        #expect(device.tap(.first, in: "no-scene").ignored == [.unknownScene])
        #expect(device.reply().sent.count == 1)
    }

    @Test(arguments: ways) mutating func lockedDevicePresentsNothing(_ way: DeviceEvent) {
        device.apply(.setting(.lockSet(isOn: true)))
        let refused = device.apply(way)
        #expect(refused.ignored == [.locked])
        #expect(refused.notices.isEmpty && refused.conversations.isEmpty)
        device.apply(.setting(.lockSet(isOn: false)))
        let presented = device.apply(way)
        #expect(presented.ignored.isEmpty)
        #expect(presented.conversations.map(\.conversation) == [.enrique])
    }

    @Test mutating func mistakeIsNamedBeforeTheLock() {
        device.apply(.setting(.lockSet(isOn: true)))
        let unknownView = device.tap("never-was")
        #expect(unknownView.ignored == [.unknownView])
        let unknownScene = device.tap(.first, in: "no-scene")
        #expect(unknownScene.ignored == [.unknownScene])
    }

    @Test mutating func openConversationOnALockedDeviceCanBeAnswered() {
        device.tap()
        device.apply(.setting(.lockSet(isOn: true)))
        let effects = device.reply()
        #expect(effects.sent.count == 1)
        #expect(effects.notices.map(\.state) == [.dismissed])
    }

    @Test mutating func conversationOutlivesItsViewAndHighlight() {
        device.tap()
        device.release()
        device.apply(.sharing(.linkRemoved(url: Link.show)))
        #expect(device.reply().notices.map(\.state) == [.dismissed])
    }

    @Test mutating func deletedConversationIsDismissed() {
        device.tap()
        let effects = device.apply(.sharing(.conversationDeleted(.enrique)))
        #expect(effects.notices.map(\.state) == [.dismissed])
        #expect(effects.places == [ContentPlace(app: .tv, url: Link.show)])
        #expect(device.reply().ignored == [.notPresented])
    }

    @Test mutating func deletingAnotherConversationChangesNothing() {
        device.receive("Hello", from: .sarah, in: .sarah)
        device.tap()
        #expect(device.apply(.sharing(.conversationDeleted(.sarah))).isEmpty)
        #expect(device.reply().sent.count == 1)
    }

    @Test mutating func removingTheAppEndsTheConversation() {
        device.tap()
        #expect(device.apply(.system(.appRemoved(.tv))).isEmpty)
        #expect(device.dismiss().ignored == [.notPresented])
        #expect(device.reply().ignored == [.notPresented])
        device.apply(.system(.appInstalled(.tv)))
        #expect(device.dismiss().ignored == [.notPresented])
    }

    @Test mutating func replacingTheAppKeepsTheConversation() {
        device.tap()
        #expect(device.apply(.system(.appInstalled(.tv))).notices.isEmpty)
        #expect(device.reply().notices.map(\.state) == [.dismissed])
    }

    @Test mutating func actionsWithoutAPresentationAreRefused() {
        #expect(device.talk(in: .enrique).ignored == [.notPresented])
        #expect(device.reply().ignored == [.notPresented])
        #expect(device.dismiss().ignored == [.notPresented])
    }
}
