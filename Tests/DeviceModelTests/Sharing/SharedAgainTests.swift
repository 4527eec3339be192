import Testing
import WaypostSchema
import WaypostTestSupport

/// Links that are shared again, by the same people or by others.
@Suite struct SharedAgainTests {
    private var device = SharingDevice()

    init() {
        device.shareAutomatically(with: .tv)
    }

    @Test mutating func itemSharedAgainStaysCurated() {
        device.receive(Link.show)
        device.advance(minutes: 10)
        device.receive(Link.show, from: .sarah, in: .sarah)
        #expect(device.page().curated)
        device.receive(Link.show)
        #expect(device.page().curated)
    }

    @Test mutating func linkIsAsOldAsItsFirstRemainingMessage() {
        let first = device.receive(Link.show)
        device.advance(minutes: 10)
        let second = device.receive(Link.show)
        device.delete(first)
        #expect(device.page().curationGap == .tooRecent)
        device.receive(Link.show)
        device.delete(second)
        device.advance(minutes: 10)
        #expect(device.page().curated)
    }

    @Test mutating func shareAfterAnEditedMessageKeepsTheItemCurated() {
        let first = device.receive(Link.show)
        device.advance(minutes: 1)
        device.receive(Link.show)
        device.advance(minutes: 7)
        device.edit(first, to: "Look: \(Link.show)")
        device.advance(minutes: 4)
        #expect(device.page().curated)
        device.receive(Link.show)
        #expect(device.page().curated)
    }

    @Test(.proves("B55")) mutating func onlyTheSenderOfTheLatestMessageInAGroupCounts() {
        device.converse(.enrique, .sarah, .stranger)
        device.receive(Link.show, from: .enrique, in: .group)
        #expect(device.points(of: Link.show)[.sharers] == nil)
        device.receive(Link.show, from: .sarah, in: .group)
        #expect(device.points(of: Link.show)[.sharers] == nil)
        device.receive(Link.show, from: .enrique, in: .enrique)
        #expect(device.points(of: Link.show)[.sharers] == 1_000)
        device.receive(Link.show, from: .stranger, in: .group)
        #expect(device.points(of: Link.show)[.sharers] == nil)
    }

    @Test mutating func earlierContactCountsAgainWhenTheLatestMessageIsDeleted() {
        device.converse(.enrique, .sarah)
        device.receive(Link.show, from: .sarah, in: .sarah)
        device.receive(Link.show, from: .enrique, in: .group)
        let latest = device.receive(Link.show, from: .sarah, in: .group)
        #expect(device.points(of: Link.show)[.sharers] == nil)
        device.delete(latest)
        #expect(device.points(of: Link.show)[.sharers] == 1_000)
    }

    @Test mutating func feedbackOnAShortLinkIsKeptWhenItIsResolved() {
        device.fetch(AssociationText.offering("*", to: .tv), of: "tv.example")
        device.receive("https://tv.example/s/1")
        device.apply(.sharing(.contentFinished(.tv, url: "https://tv.example/s/1")))
        device.apply(.sharing(.linkResolved(url: "https://tv.example/s/1", target: Link.show)))
        #expect(device.points(of: Link.show)[.consumed] == -4_000)
    }

    @Test mutating func explanationWithTooManyConversationsIncludesTheSurfacingOne() {
        device.receive(Link.show)
        for number in 1...25 {
            device.receive(Link.show, from: .stranger, in: ConversationID(rawValue: "stranger-\(number)"))
        }
        let explanation = device.explanation(of: Link.show)
        #expect(explanation.isSurfaced)
        #expect(explanation.messages.count == 20)
    }
}
