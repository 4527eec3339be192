import Attribution
import DeviceModel
import Testing
import WaypostSchema
import WaypostTestSupport

/// A link that is sent more than once in one conversation.
@Suite struct RepeatedLinkTests {
    private var device = SharingDevice()

    init() {
        device.shareAutomatically(with: .tv)
    }

    @Test(.proves("B55")) mutating func onlyTheLatestMessageOfAConversationCounts() {
        device.converse(.enrique, .sarah)
        let first = device.receive("\(Link.show)?utm_source=a", from: .enrique, in: .group)
        let last = device.receive("\(Link.show)?utm_source=b", from: .sarah, in: .group)
        let explanation = device.explanation(of: Link.show)
        #expect(device.shelf() == ["\(Link.show)?utm_source=b"])
        #expect(explanation.message == last)
        #expect(explanation.messages.map(\.message) == [last, first])
        #expect(explanation.messages.map(\.decidedBy) == [nil, .notSuperseded])
    }

    @Test mutating func latestMessageIsTheOneSentLast() {
        let late = device.receive("\(Link.show)?utm_source=late", sentAt: .talk + Timestamp.minute)
        device.advance(minutes: 2)
        device.receive("\(Link.show)?utm_source=early", sentAt: .talk + 1)
        #expect(device.explanation(of: Link.show).message == late)
        #expect(device.shelf() == ["\(Link.show)?utm_source=late"])
    }

    @Test(.proves("B55"), arguments: [["a", "b"], ["b", "a"]] as [[MessageID]])
    mutating func messageThatArrivedLastCountsWithinAMillisecond(_ messages: [MessageID]) {
        let moment = Timestamp.talk + 1
        for message in messages { device.receive("\(Link.show)?utm_source=\(message)", as: message, sentAt: moment) }
        #expect(device.explanation(of: Link.show).message == messages[1])
        #expect(device.shelf() == ["\(Link.show)?utm_source=\(messages[1])"])
    }

    @Test(.proves("B55")) mutating func attributionShowsTheSenderOfTheLatestMessageAlone() throws {
        device.converse(.enrique, .sarah)
        device.receive(Link.show, from: .enrique, in: .group)
        device.advance(minutes: 60)
        let latest = device.receive(Link.show, from: .sarah, in: .group)
        #expect(try #require(device.model.drawing(of: Link.show, in: .tv)).content.people.map(\.name) == ["Sarah"])
        device.delete(latest)
        #expect(try #require(device.model.drawing(of: Link.show, in: .tv)).content.people.map(\.name) == ["Enrique"])
    }

    @Test mutating func futureSendingTimeCountsAsNow() throws {
        device.receive(Link.show, sentAt: .talk + Timestamp.day)
        #expect(try #require(device.item(Link.show)).sharedAt == device.now)
    }

    @Test mutating func deletingTheLatestMessageRestoresTheEarlierOne() {
        let first = device.receive("\(Link.show)?utm_source=a")
        let last = device.receive("\(Link.show)?utm_source=b")
        device.delete(last)
        #expect(device.shelf() == ["\(Link.show)?utm_source=a"])
        #expect(device.explanation(of: Link.show).message == first)
    }

    @Test mutating func deletingAnEarlierMessageChangesNothing() {
        let first = device.receive("\(Link.show)?utm_source=a")
        let middle = device.receive("\(Link.show)?utm_source=b")
        device.receive("\(Link.show)?utm_source=c")
        #expect(device.delete(middle).isEmpty && device.delete(first).isEmpty)
        #expect(device.shelf() == ["\(Link.show)?utm_source=c"])
    }

    @Test mutating func deletingTheOnlyMessageRemovesTheLink() {
        let message = device.receive(Link.show)
        device.delete(message)
        #expect(device.shelf().isEmpty)
        #expect(device.delete(message).ignored == [.unknownMessage])
    }

    @Test mutating func pinEndsWithItsMessage() {
        device.receive(Link.show)
        let pinned = device.receive(Link.show)
        device.pin(pinned)
        device.delete(pinned)
        #expect(device.item(Link.show)?.isPinned == false)
    }

    @Test mutating func repeatedMessageCountsOnce() {
        let message = device.receive(Link.show)
        let again = Message(id: message, conversation: .sarah, sender: .sarah, text: Link.otherShow)
        #expect(device.apply(.sharing(.messageReceived(again))).ignored == [.repeatedMessage])
        #expect(device.shelf() == [Link.show])
    }

    @Test mutating func deletedMessageDoesNotReturnWhenItIsDeliveredAgain() {
        let message = device.receive(Link.show)
        device.delete(message)
        let again = Message(id: message, conversation: .enrique, sender: .enrique, text: Link.show)
        #expect(device.apply(.sharing(.messageReceived(again))).ignored == [.deletedMessage])
        #expect(device.shelf().isEmpty)
    }

    @Test mutating func deletingAConversationRemovesItsLinksAndPins() {
        let message = device.receive("\(Link.show) \(Link.otherShow)")
        device.receive(Link.otherShow, from: .sarah, in: .sarah)
        device.pin(message)
        device.apply(.sharing(.conversationDeleted(.enrique)))
        #expect(device.shelf() == [Link.otherShow])
        #expect(device.item(Link.otherShow)?.isPinned == false)
        #expect(device.apply(.sharing(.conversationDeleted(.enrique))).ignored == [.unknownConversation])
    }

    @Test mutating func messagesOfADeletedConversationDoNotReturn() {
        let message = device.receive(Link.show)
        device.apply(.sharing(.conversationDeleted(.enrique)))
        let again = Message(id: message, conversation: .enrique, sender: .enrique, text: Link.show)
        #expect(device.apply(.sharing(.messageReceived(again))).ignored == [.deletedMessage])
        device.receive(Link.show)
        #expect(device.shelf() == [Link.show])
    }
}
