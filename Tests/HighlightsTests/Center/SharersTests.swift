import Highlights
import Testing
import WaypostSchema
import WaypostTestSupport

/// The sharers of a highlight: only for the device that draws them, never for an app.
@Suite struct SharersTests {
    private var shelf = RankedShelf()
    private var messages = 0

    private static let link = RankedShelf.url("shows/lasso")
    private static let first: Handle = "person-1@example.com"
    private static let second: Handle = "person-2@example.com"
    private static let third: Handle = "person-3@example.com"
    private static let stranger: Handle = "+1 408 555 0199"

    private mutating func send(
        _ text: String = SharersTests.link,
        from sender: Handle?,
        in conversation: ConversationID = "c1",
        ago: Int = 0
    ) {
        messages += 1
        let sentAt = Timestamp(milliseconds: shelf.now.rawValue - ago)
        let id = MessageID(rawValue: "m\(messages)")
        shelf.apply(
            .messageReceived(
                Message(id: id, conversation: conversation, sender: sender, text: text, sentAt: sentAt)
            )
        )
    }

    private func shared(_ url: String = SharersTests.link) -> SharedLink? {
        shelf.device.sharedLink(url, of: RankedShelf.app)
    }

    /// The handles of the sharers, by conversation.
    private var sharers: [[Handle]] {
        shared()?.conversations.map { $0.sharers.map(\.person.handle) } ?? []
    }

    @Test(.proves("B19", "B55")) mutating func onlyTheSenderOfTheLatestMessageIsListed() {
        send(from: Self.first, ago: 5_000)
        send(from: Self.second, ago: 4_000)
        send(from: Self.third, ago: 2_000)
        send(from: Self.first, ago: 2_500)
        #expect(sharers == [[Self.third]])
        let times = shared()?.conversations.first?.sharers.map { shelf.now.rawValue - $0.sharedAt.rawValue }
        #expect(times == [2_000])
    }

    @Test(arguments: [[first, second, third], [third, first, second]])
    mutating func lastArrivalIsTheLatestWithinAMillisecond(_ senders: [Handle]) {
        for sender in senders { send(from: sender) }
        #expect(sharers == [[senders[2]]])
        for (number, sender) in senders.enumerated() { send(from: sender, in: ConversationID(rawValue: "d\(number)")) }
        #expect(sharers == senders.reversed().map { [$0] } + [[senders[2]]])
    }

    @Test(.proves("B56", "B57")) mutating func eachConversationHasItsOwnSharersAndTheLatestIsFirst() {
        send(from: Self.first, in: "c1", ago: 3_000)
        send(from: Self.second, in: "c2", ago: 1_000)
        send(from: Self.first, in: "c3", ago: 2_000)
        #expect(shared()?.conversations.map(\.id) == ["c2", "c3", "c1"])
        #expect(sharers == [[Self.second], [Self.first], [Self.first]])
    }

    @Test(arguments: [["+1 (408) 555-0100"], ["me@example.com", "+14085550100"]] as [[Handle]])
    mutating func ownHandlesAreNeitherSharersNorParticipants(_ handles: [Handle]) {
        shelf.setOwnHandles(handles)
        shelf.apply(.contactChanged(Contact(id: "me", givenName: "Ava", handles: handles)))
        shelf.apply(.conversationChanged(Conversation(id: "g", participants: [handles[0], Self.first])))
        send(from: Self.first, in: "g", ago: 2_000)
        send(from: "+14085550100", in: "g", ago: 1_000)
        #expect(sharers == [[Self.first]])
        #expect(shared()?.conversations.first?.participants.map(\.handle) == [Self.first])
        #expect(shelf.points("shows/lasso", .sharers) == nil)
    }

    @Test mutating func userIsNeverASharer() {
        send(from: Self.first, ago: 2_000)
        send(from: nil, ago: 1_000)
        send(from: nil, in: "c2", ago: 500)
        #expect(sharers == [[Self.first]])
        #expect(shared()?.conversations.map(\.id) == ["c1"])
        #expect(shared()?.conversations.first?.participants.map(\.handle) == [Self.first])
    }

    @Test(.proves("B32")) mutating func sharerWithoutACardHasOnlyAHandle() {
        shelf.apply(.conversationChanged(Conversation(id: "g", participants: [Self.first, Self.stranger])))
        send(from: Self.stranger, in: "g")
        let sharer = shared()?.conversations.first?.sharers.first?.person
        #expect(sharer == Person(handle: Self.stranger))
        let contacts = shared()?.conversations.first?.participants.map(\.contact?.id)
        #expect(contacts == ["contact-1", nil])
    }

    @Test mutating func participantsAreThoseOfTheDeclaration() {
        let people: [Handle] = [Self.stranger, "PERSON-2@example.com", Self.first]
        shelf.apply(.conversationChanged(Conversation(id: "g", name: "Film night", participants: people)))
        send(from: Self.second, in: "g")
        let conversation = shared()?.conversations.first
        #expect(conversation?.name == "Film night")
        #expect(conversation?.participants.map(\.handle) == people)
        #expect(conversation?.participants.map(\.contact?.id) == [nil, "contact-2", "contact-1"])
        #expect(conversation?.sharers.map(\.person.handle) == [Self.second])
    }

    @Test mutating func participantsOfAnUndeclaredConversationAreItsSenders() {
        send("hello", from: Self.second)
        send(from: Self.first)
        #expect(shared()?.conversations.first?.name == nil)
        #expect(shared()?.conversations.first?.participants.map(\.handle) == [Self.first, Self.second])
    }

    @Test mutating func personHasTheCurrentCard() {
        send(from: Self.first)
        let card = Contact(id: "contact-1", givenName: "Ana", nickname: "A", handles: [Self.first])
        shelf.apply(.contactChanged(card))
        #expect(shared()?.conversations.first?.sharers.map(\.person) == [Person(handle: Self.first, contact: card)])
    }

    @Test mutating func spellingsOfAHandleAreOnePerson() {
        send(from: "PERSON-1@example.com", ago: 2_000)
        send(from: Self.first, ago: 1_000)
        #expect(sharers == [[Self.first]])
    }

    @Test mutating func onlyConversationsFromWhichTheLinkSurfacesAreListed() {
        send(from: Self.first, in: "c1", ago: 2_000)
        send(from: Self.stranger, in: "c2", ago: 1_000)
        send(from: Self.second, in: "c3", ago: 500)
        shelf.apply(.sharingSet(.conversation("c3"), isOn: false))
        #expect(shared()?.conversations.map(\.id) == ["c1"])
    }

    @Test mutating func deletedOrEditedMessageIsReplacedByTheOneBeforeIt() {
        send(from: Self.first, ago: 3_000)
        send(from: Self.second, ago: 2_000)
        send(from: Self.third, ago: 1_000)
        shelf.apply(.messageDeleted("m3"))
        #expect(sharers == [[Self.second]])
        shelf.apply(.messageEdited("m2", text: "nothing"))
        #expect(sharers == [[Self.first]])
    }

    @Test(.proves("B21")) mutating func pinIsReported() {
        send(from: Self.first)
        #expect(shared()?.isPinned == false)
        shelf.apply(.linkPinned("m1", url: nil))
        #expect(shared()?.isPinned == true)
    }

    @Test mutating func urlIsThatOfTheLatestShareForAnySpelling() {
        send("\(Self.link)?utm_source=a", from: Self.first, ago: 1_000)
        send("\(Self.link)?utm_source=b", from: Self.second)
        #expect(shared()?.url == "\(Self.link)?utm_source=b")
        #expect(shared("http://TV.example/shows/lasso/") == shared())
    }

    @Test(.proves("B63")) mutating func linkWithoutAHighlightHasNoSharers() {
        #expect(shared() == nil)
        send(from: Self.stranger)
        #expect(shared() == nil)
        send(from: Self.first)
        #expect(shared() != nil && shared("no URL") == nil && shared(RankedShelf.url("other")) == nil)
        #expect(shelf.device.sharedLink(Self.link, of: "com.example.other") == nil)
        shelf.apply(.linkRemoved(url: Self.link))
        #expect(shared() == nil)
    }

    @Test mutating func resolvedShortLinkCountsAsItsTarget() {
        send(from: Self.first, ago: 1_000)
        send("https://short.example/a", from: Self.second)
        #expect(sharers == [[Self.first]])
        shelf.apply(.linkResolved(url: "https://short.example/a", target: Self.link))
        #expect(sharers == [[Self.second]])
    }
}
