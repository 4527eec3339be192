import Attribution
import DeviceModel
import Testing
import WaypostSchema
import WaypostTestSupport

/// A link from several conversations: the user chooses the conversation.
@Suite struct DisambiguationTests {
    private var device = SharingDevice()

    init() {
        device.shareAutomatically(with: .tv)
        device.receive(Link.show, from: .enrique, in: .enrique)
        device.converse(.enrique, .stranger, in: .group, name: "Film night")
        device.receive(Link.show, from: .stranger, in: .group)
        device.receive(Link.show, from: .sarah, in: .sarah)
        device.request()
    }

    @Test(.proves("B58", "B62"), arguments: TappedViewTests.ways)
    mutating func tapOpensAMenuOfTheConversations(_ way: DeviceEvent) throws {
        let effects = device.apply(way)
        let menu = try #require(effects.disambiguations.first)
        #expect(menu.app == .tv && menu.url == Link.show && !menu.title.isEmpty)
        #expect(menu.choices.map(\.conversation) == [.sarah, .group, .enrique])
        #expect(menu.choices.map(\.title) == ["Sarah".isolated, "Film night", "Enrique".isolated])
        #expect(effects.kinds == ["presentationChanged", "disambiguationPresented"])
        #expect(effects.notices.map(\.state) == [.presented])
    }

    @Test(.proves("B62")) mutating func deviceDrawsTheMenuAndTheAppGetsNothingOfIt() throws {
        let effects = device.tap()
        let menu = try #require(effects.disambiguations.first)
        let language = device.model.traits.language
        let drawing = MenuCardDrawing(MenuCard(menu, in: language), in: language)
        for name in ["Sarah", "Film night", "Enrique", menu.title, "Cancel"] {
            #expect(drawing.terminalText.contains(name), "\(name)")
            #expect(drawing.svg().contains(name), "\(name)")
        }
        let notice = PresentationNotice(app: .tv, view: .first, state: .presented)
        #expect(effects.compactMap { $0.appEvent(for: .tv) } == [.presentationChanged(notice)])
        #expect(device.talk(in: .group).compactMap { $0.appEvent(for: .tv) }.isEmpty)
    }

    @Test(.proves("B59"), arguments: [ConversationID.sarah, .group, .enrique])
    mutating func chosenConversationReceivesTheReply(_ conversation: ConversationID) {
        device.tap()
        let effects = device.talk(in: conversation)
        #expect(effects.kinds == ["conversationPresented"])
        #expect(effects.conversations.map(\.conversation) == [conversation])
        let replied = device.reply(in: conversation)
        #expect(replied.sent.map(\.conversation) == [conversation])
        #expect(replied.places == [ContentPlace(app: .tv, url: Link.show)])
    }

    @Test(.proves("B62", "B64", "B65")) mutating func appReceivesTheSameNoticesWithAndWithoutAMenu() {
        var other = SharingDevice()
        other.shareAutomatically(with: .tv)
        other.receive(Link.show)
        other.request()
        let alone = [other.tap(), other.reply()].flatMap { $0 }
        let several = [device.tap(), device.talk(in: .sarah), device.reply(in: .sarah)].flatMap { $0 }
        #expect(several.disambiguations.count == 1 && alone.disambiguations.isEmpty)
        #expect(several.notices == alone.notices)
        #expect(several.notices.map(\.state) == [.presented, .dismissed])
    }

    @Test(.proves("B62")) mutating func titlesAreInTheUsersLanguage() {
        let english = device.tap().disambiguations.map(\.title)
        device.dismiss()
        device.set(language: "ko")
        #expect(device.tap().disambiguations.map(\.title) != english)
    }

    @Test mutating func conversationThatIsNotInTheMenuCannotBeChosen() {
        device.receive(Link.otherShow, from: .stranger, in: .stranger)
        device.tap()
        #expect(device.talk(in: .stranger).ignored == [.notPresented])
        #expect(device.talk(in: "absent").ignored == [.notPresented])
        #expect(device.talk(in: .group).conversations.count == 1)
    }

    @Test mutating func choiceCanBeMadeOnce() {
        device.tap()
        device.talk(in: .group)
        #expect(device.talk(in: .sarah).ignored == [.notPresented])
        #expect(device.reply(in: .sarah).ignored == [.notPresented])
        #expect(device.reply(in: .group).sent.count == 1)
    }

    @Test mutating func replyBeforeTheChoiceIsRefused() {
        device.tap()
        for conversation in [ConversationID.sarah, .group, .enrique] {
            #expect(device.reply(in: conversation).ignored == [.notPresented])
        }
        #expect(device.dismiss().notices.map(\.state) == [.dismissed])
    }

    @Test mutating func deletedConversationCannotBeChosen() {
        device.tap()
        #expect(device.apply(.sharing(.conversationDeleted(.sarah))).notices.isEmpty)
        #expect(device.talk(in: .sarah).ignored == [.notPresented])
        #expect(device.talk(in: .group).conversations.map(\.conversation) == [.group])
    }

    @Test mutating func menuIsPresentedAgainWithoutADeletedConversation() {
        device.tap()
        let menus = device.apply(.sharing(.conversationDeleted(.sarah))).disambiguations
        #expect(menus.map { $0.choices.map(\.conversation) } == [[.group, .enrique]])
        #expect(device.model.presentationEffect == menus.first.map { .attribution(.disambiguationPresented($0)) })
        #expect(device.apply(.sharing(.conversationDeleted("absent"))).disambiguations.isEmpty)
    }

    @Test mutating func menuIsDismissedWhenItsLastConversationIsDeleted() {
        device.tap()
        #expect(device.apply(.sharing(.conversationDeleted(.sarah))).notices.isEmpty)
        #expect(device.apply(.sharing(.conversationDeleted(.group))).notices.isEmpty)
        #expect(device.apply(.sharing(.conversationDeleted(.enrique))).notices.map(\.state) == [.dismissed])
        #expect(device.dismiss().ignored == [.notPresented])
    }

    @Test(.proves("B60")) mutating func conversationsThatDoNotSurfaceAreNotInTheMenu() {
        device.turnOff(.conversation(.group))
        device.apply(.sharing(.contactRemoved("card-2")))
        let effects = device.tap()
        #expect(effects.disambiguations.isEmpty)
        #expect(effects.conversations.map(\.conversation) == [.enrique])
    }
}
