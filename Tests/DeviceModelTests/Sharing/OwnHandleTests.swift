import Attribution
import DeviceModel
import Highlights
import Testing
import WaypostSchema
import WaypostTestSupport

/// The user's own handles: their messages are the user's, and a card with them makes nobody known.
@Suite struct OwnHandleTests {
    private static let number: Handle = "+14085550100"
    private static let address: Handle = "me@example.com"

    private var device = SharingDevice()

    init() {
        describe(handle: Self.number, handles: [Self.address])
        device.shareAutomatically(with: .tv)
    }

    private mutating func describe(handle: Handle?, handles: [Handle]? = nil) {
        let phone = DeviceDescription(name: "phone", apps: [.tv, .music], handle: handle, handles: handles)
        device.apply(.system(.deviceDescribed(phone)))
    }

    private mutating func setOwnCard() {
        let card = Contact(id: "a-card", givenName: "Ava", handles: [Self.number, Self.address])
        device.apply(.sharing(.contactChanged(card)))
    }

    private func explanation(at gate: SurfacingGate) -> String? {
        device.verdict(at: gate, on: Link.show)?.explanation
    }

    @Test(.proves("B33", "B102"), arguments: [number, address, "+1 (408) 555-0100"], [false, true])
    mutating func ownCardDoesNotMakeAGroupKnown(_ handle: Handle, isCardLater: Bool) {
        if !isCardLater { setOwnCard() }
        device.converse(.stranger, handle)
        device.receive(Link.show, from: .stranger, in: .group)
        if isCardLater { setOwnCard() }
        #expect(device.shelf().isEmpty)
        #expect(device.explanation(of: Link.show).decidedBy == .contact)
        #expect(explanation(at: .contact)?.hasPrefix("+14085550199 is not a contact; not counting the user: ") == true)
    }

    @Test mutating func contactNextToTheUserMakesAGroupKnown() throws {
        setOwnCard()
        device.converse(Self.number, .stranger, .sarah)
        device.receive(Link.show, from: .stranger, in: .group)
        #expect(device.shelf() == [Link.show])
        #expect(explanation(at: .contact) == "of 2 participants, sarah@example.com is the contact card-2")
        let link = try #require(device.model.sharing.sharedLink(Link.show, of: .tv))
        #expect(link.conversations.map { $0.participants.map(\.handle) } == [[.stranger, .sarah]])
    }

    @Test(.proves("B31", "B103"), arguments: [number, address])
    mutating func messageFromAnOwnHandleIsTheUsers(_ handle: Handle) {
        setOwnCard()
        device.converse(.sarah, .enrique)
        device.receive(Link.show, from: handle, in: .group)
        #expect(device.shelf().isEmpty)
        #expect(device.explanation(of: Link.show).decidedBy == .notFromMe)
        #expect(explanation(at: .notFromMe) == "the user sent it, from \(handle), which is a handle of this device")
        #expect(device.found("").isEmpty)
    }

    @Test mutating func messageFromAnOwnHandleIsListedWithoutASender() {
        device.receive(Link.show, from: "+1 (408) 555-0100", in: .group)
        device.receive("Thank you", from: .sarah, in: .group)
        #expect(device.model.sharing.messages.map(\.sender) == [nil, .sarah])
    }

    @Test mutating func ownMessageDoesNotSupersedeTheLinkOfAFriend() throws {
        setOwnCard()
        device.converse(.sarah, .enrique)
        device.receive("\(Link.show)?utm_source=friend", from: .sarah, in: .group)
        device.receive("\(Link.show)?utm_source=me", from: Self.number, in: .group)
        #expect(device.shelf() == ["\(Link.show)?utm_source=friend"])
        #expect(device.points(of: Link.show)[.sharers] == nil)
        #expect(try #require(device.model.drawing(of: Link.show, in: .tv)).content.people.map(\.name) == ["Sarah"])
    }

    @Test mutating func handleThatBecomesOwnTakesItsMessagesAlong() {
        describe(handle: Self.number)
        setOwnCard()
        device.converse(.stranger, Self.address)
        device.receive(Link.show, from: .stranger, in: .group)
        device.receive(Link.otherShow, from: Self.address, in: "with-me")
        #expect(Set(device.shelf()) == [Link.show, Link.otherShow])
        describe(handle: Self.number, handles: [Self.address])
        #expect(device.shelf().isEmpty)
        #expect(device.explanation(of: Link.otherShow).decidedBy == .notFromMe)
        describe(handle: Self.number)
        #expect(Set(device.shelf()) == [Link.show, Link.otherShow])
    }

    @Test mutating func pinOfAnOwnLinkBringsNoOffer() {
        device.shareAutomatically(with: .tv, isOn: false)
        device.converse(.sarah, .enrique)
        #expect(device.pin(device.receive(Link.show, from: Self.number, in: .group)).offers.isEmpty)
    }

    @Test mutating func resetRestoresTheHandlesOfTheDescription() {
        describe(handle: Self.number)
        device.receive(Link.show, from: Self.number, in: "with-me")
        device.apply(.system(.snapshotTaken("one")))
        describe(handle: nil)
        device.apply(.system(.deviceRestored(snapshot: "one")))
        #expect(device.explanation(of: Link.show).decidedBy == .notFromMe)
        #expect(device.model.description.handle == Self.number && device.model.description.handles == nil)
    }
}
