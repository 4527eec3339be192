import Testing
import WaypostSchema
import WaypostTestSupport

/// A link from several conversations.
@Suite struct SeveralConversationsTests {
    private var device = SharingDevice()

    init() {
        device.shareAutomatically(with: .music)
        device.converse(.stranger, .sarah)
        device.receive(Link.playlist, from: .enrique, in: .enrique)
        device.receive(Link.playlist, from: .sarah, in: .sarah)
        device.receive(Link.playlist, from: .stranger, in: .group)
    }

    @Test(.proves("B56", "B58")) func linkFromSeveralConversationsIsOneItem() throws {
        let item = try #require(device.item(Link.playlist, in: .music))
        #expect(device.shelf(of: .music) == [Link.playlist])
        #expect(item.conversations == [.group, .sarah, .enrique])
        let merged = try #require(device.verdict(at: .merged, on: Link.playlist, for: .music))
        #expect(merged.explanation == "one item for the conversations the-group, with-sarah, with-enrique")
    }

    @Test(.proves("B59")) func eachConversationHasItsOwnMessageToReplyTo() {
        let messages = device.explanation(of: Link.playlist, for: .music).messages
        #expect(messages.map(\.conversation) == [.group, .sarah, .enrique])
        #expect(messages.map(\.sender) == [.stranger, .sarah, .enrique])
        #expect(messages.allSatisfy { $0.decidedBy == nil })
    }

    @Test(.proves("B60")) mutating func linkFromOneConversationHasNoChoice() throws {
        device.receive("https://music.example/playlists/blues", from: .sarah, in: .sarah)
        let item = try #require(device.item("https://music.example/playlists/blues", in: .music))
        #expect(item.conversations == [.sarah])
    }

    @Test mutating func conversationThatNoLongerSurfacesLeavesTheItem() {
        device.turnOff(.conversation(.sarah))
        #expect(device.item(Link.playlist, in: .music)?.conversations == [.group, .enrique])
        device.apply(.sharing(.conversationDeleted(.group)))
        #expect(device.item(Link.playlist, in: .music)?.conversations == [.enrique])
        device.apply(.sharing(.contactRemoved("card-1")))
        #expect(device.shelf(of: .music).isEmpty)
    }

    @Test mutating func itemHasTheURLOfTheLatestShare() {
        device.receive("\(Link.playlist)/?utm_source=share", from: .enrique, in: .enrique)
        #expect(device.shelf(of: .music) == ["\(Link.playlist)/?utm_source=share"])
        #expect(device.item(Link.playlist, in: .music)?.conversations.first == .enrique)
    }

    @Test mutating func contactInTwoConversationsCountsOnce() {
        #expect(device.points(of: Link.playlist, in: .music)[.sharers] == 1_000)
        device.converse(.enrique, .sarah, in: "another-group")
        device.receive(Link.playlist, from: .enrique, in: "another-group")
        #expect(device.points(of: Link.playlist, in: .music)[.sharers] == 1_000)
    }

    @Test mutating func newContactCountsAsASharer() {
        device.apply(.sharing(.contactChanged(Contact(id: "new", handles: [.stranger]))))
        #expect(device.points(of: Link.playlist, in: .music)[.sharers] == 1_585)
    }

    @Test mutating func differentSpellingsOfALinkAreOneItem() {
        device.converse(.enrique, in: "fourth")
        device.receive("http://MUSIC.example:80/playlists/./top-25-chicago?fbclid=1", from: .enrique, in: "fourth")
        #expect(device.item(Link.playlist, in: .music)?.conversations.count == 4)
    }
}
