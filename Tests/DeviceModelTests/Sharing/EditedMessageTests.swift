import Testing
import WaypostSchema

/// Messages whose text is edited, and messages with several links.
@Suite struct EditedMessageTests {
    private var device = SharingDevice()
    private var message: MessageID = ""

    init() {
        device.shareAutomatically(with: .tv, .music)
        message = device.receive("Look: \(Link.show)")
    }

    @Test mutating func editAddsTheLinkOfTheNewText() {
        device.edit(message, to: "Look: \(Link.otherShow)")
        #expect(device.shelf() == [Link.otherShow])
        #expect(device.explanation(of: Link.show).decidedBy == .messageSeen)
    }

    @Test mutating func editMovesTheLinkToAnotherApp() {
        device.edit(message, to: Link.playlist)
        #expect(device.shelf(of: .tv).isEmpty)
        #expect(device.shelf(of: .music) == [Link.playlist])
    }

    @Test mutating func editRemovesALink() {
        device.edit(message, to: "Never mind")
        #expect(device.shelf().isEmpty)
    }

    @Test mutating func editAddsALinkToAMessageWithoutLinks() {
        let plain = device.receive("Wait")
        device.edit(plain, to: Link.otherShow)
        #expect(Set(device.shelf()) == [Link.show, Link.otherShow])
    }

    @Test mutating func editOfTheLatestMessageRestoresTheEarlierOne() {
        let last = device.receive("\(Link.show)?utm_source=again")
        device.edit(last, to: "Wrong link")
        #expect(device.explanation(of: Link.show).message == message)
        #expect(device.shelf() == [Link.show])
    }

    @Test mutating func editIsNotANewShare() throws {
        let before = try #require(device.item(Link.show)).sharedAt
        device.advance(minutes: 30)
        device.edit(message, to: "Look again: \(Link.show)")
        #expect(device.item(Link.show)?.sharedAt == before)
    }

    @Test mutating func correctionOfAnOldMessageKeepsItsLinkCurated() {
        device.advance(minutes: 30)
        device.edit(message, to: "Look again: \(Link.show)")
        #expect(device.page().curated)
        device.edit(message, to: "Look again: \(Link.otherShow)")
        #expect(device.page().curationGap == .tooRecent)
    }

    @Test mutating func pinEndsIfAnEditRemovesItsLink() {
        device.pin(message)
        device.edit(message, to: Link.otherShow)
        #expect(device.item(Link.otherShow)?.isPinned == false)
        device.edit(message, to: Link.show)
        #expect(device.item(Link.show)?.isPinned == false)
    }

    @Test mutating func pinStaysIfAnEditKeepsItsLink() {
        device.pin(message)
        device.edit(message, to: "Look here: \(Link.show)?utm_source=share")
        #expect(device.item(Link.show)?.isPinned == true)
    }

    @Test mutating func unknownMessageCannotBeEdited() {
        #expect(device.edit("another", to: Link.otherShow).ignored == [.unknownMessage])
    }

    @Test mutating func everyLinkOfAMessageSurfacesInItsApp() {
        device.receive("\(Link.otherShow), \(Link.playlist) and \(Link.thirdShow)!", from: .sarah, in: .sarah)
        #expect(Set(device.shelf(of: .tv)) == [Link.show, Link.otherShow, Link.thirdShow])
        #expect(device.shelf(of: .music) == [Link.playlist])
    }

    @Test mutating func linkRepeatedInAMessageIsOneItem() {
        device.receive("\(Link.otherShow) \(Link.otherShow)/ \(Link.otherShow)?utm_source=x", from: .sarah, in: .sarah)
        #expect(Set(device.shelf()) == [Link.show, Link.otherShow])
    }

    @Test mutating func oneOfSeveralLinksCanBePinned() {
        let both = device.receive("\(Link.otherShow) \(Link.thirdShow)")
        device.pin(both, Link.thirdShow)
        #expect(device.item(Link.thirdShow)?.isPinned == true)
        #expect(device.item(Link.otherShow)?.isPinned == false)
    }

    @Test mutating func allLinksOfAMessageArePinnedByDefault() {
        let both = device.receive("\(Link.otherShow) \(Link.thirdShow)")
        device.pin(both)
        #expect(device.items().filter(\.isPinned).map(\.highlight.url).sorted() == [Link.thirdShow, Link.otherShow])
        device.unpin(both)
        #expect(device.items().allSatisfy { !$0.isPinned })
    }
}
