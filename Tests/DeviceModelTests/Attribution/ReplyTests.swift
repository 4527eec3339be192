import Attribution
import DeviceModel
import Testing
import WaypostSchema
import WaypostTestSupport

/// A reply sends a message of the user and returns to the content.
@Suite struct ReplyTests {
    private var device = SharingDevice()

    init() {
        device.shareAutomatically(with: .tv)
        device.receive(Link.show, as: "message")
        device.request()
        device.tap()
    }

    @Test(.proves("B3", "B25")) mutating func replyIsSentAndTheUserReturnsToTheContent() {
        let effects = device.reply("Great!", as: "reply")
        let message = Message(id: "reply", conversation: .enrique, text: "Great!")
        let recipient = MessageRecipient(
            handle: .enrique,
            contact: "card-1",
            tokens: [],
            explanation: "the device has no 'handle', so the message would have no sender"
        )
        #expect(
            effects == [
                .attribution(.messageSent(message, to: [recipient])),
                .attribution(.presentationChanged(PresentationNotice(app: .tv, view: .first, state: .dismissed))),
                .attribution(.contentReturned(ContentPlace(app: .tv, url: Link.show))),
            ]
        )
    }

    @Test mutating func replyIsAMessageOfTheConversation() {
        device.reply("Great!", as: "reply")
        let again = Message(id: "reply", conversation: .enrique, sender: .enrique, text: Link.otherShow)
        #expect(device.apply(.sharing(.messageReceived(again))).ignored == [.repeatedMessage])
        device.apply(.sharing(.conversationDeleted(.enrique)))
        #expect(device.apply(.sharing(.messageReceived(again))).ignored == [.deletedMessage])
    }

    @Test mutating func linkInAReplyIsFromTheUser() {
        device.reply("See also \(Link.otherShow)", as: "reply")
        #expect(device.shelf() == [Link.show])
        #expect(device.explanation(of: Link.otherShow).decidedBy == .notFromMe)
        #expect(device.explanation(of: Link.otherShow).message == "reply")
    }

    @Test mutating func linkInAReplyDoesNotHideTheSameLink() {
        device.reply(Link.show, as: "reply")
        #expect(device.shelf() == [Link.show])
        #expect(device.people() == ["Enrique"])
        #expect(device.tap().conversations.map(\.conversation) == [.enrique])
    }

    @Test mutating func replyWithAUsedMessageIDIsRefused() {
        #expect(device.reply(as: "message").ignored == [.repeatedMessage])
        #expect(device.reply(as: "other").sent.map(\.id) == ["other"])
    }

    @Test(.proves("B59")) mutating func replyToAnotherConversationIsRefused() {
        device.receive("Hello", from: .sarah, in: .sarah)
        #expect(device.reply(in: .sarah).ignored == [.notPresented])
        #expect(device.reply(in: "absent").ignored == [.notPresented])
        #expect(device.reply(in: .enrique).sent.count == 1)
    }

    @Test mutating func replyWithASenderIsRefused() {
        var model = device.model
        let message = Message(id: "m", conversation: .enrique, sender: .enrique, text: "Hello")
        #expect(model.apply(.attribution(.replySent(message)), at: device.now).effects.ignored == [.notPresented])
        #expect(model.apply(.attribution(.presentationDismissed), at: device.now).effects.ignored.isEmpty)
    }

    @Test mutating func replyCanBeSentOnce() {
        device.reply()
        #expect(device.reply().ignored == [.notPresented])
        #expect(device.dismiss().ignored == [.notPresented])
    }

    @Test mutating func incomingMessagesLeaveTheConversationPresented() {
        device.receive("One more thing")
        device.receive(Link.show, from: .sarah, in: .sarah)
        #expect(device.reply().places == [ContentPlace(app: .tv, url: Link.show)])
    }

    @Test mutating func messageThatTheUserSendsInMessagesIsNotAReply() {
        device.receive("Hello", from: nil, in: .enrique)
        #expect(device.reply().sent.count == 1)
    }
}
