import Testing
import WaypostSchema

/// Links that the user sent.
@Suite struct OwnLinkTests {
    private var device = SharingDevice()

    init() {
        device.shareAutomatically(with: .tv)
        device.receive("Hello")
    }

    @Test mutating func ownLinkDoesNotSurface() {
        device.receive(Link.show, from: nil)
        #expect(device.shelf().isEmpty)
        #expect(device.explanation(of: Link.show).decidedBy == .notFromMe)
    }

    @Test mutating func pinDoesNotSurfaceAnOwnLink() {
        device.pin(device.receive(Link.show, from: nil))
        #expect(device.shelf().isEmpty)
        #expect(device.explanation(of: Link.show).decidedBy == .notFromMe)
    }

    @Test mutating func ownRepetitionKeepsTheReceivedLink() throws {
        let received = device.receive(Link.show)
        let sharedAt = try #require(device.item(Link.show)).sharedAt
        device.receive(Link.show, from: nil)
        #expect(device.explanation(of: Link.show).message == received)
        #expect(device.item(Link.show)?.sharedAt == sharedAt)
    }

    @Test mutating func linkSurfacesWhenSomebodyElseSendsItToo() {
        device.receive(Link.show, from: nil)
        device.receive(Link.show, from: .sarah, in: .sarah)
        #expect(device.item(Link.show)?.conversations == [.sarah])
    }

    @Test mutating func ownLinkCanBeDeleted() {
        let message = device.receive(Link.show, from: nil)
        #expect(device.delete(message).isEmpty)
        #expect(device.explanation(of: Link.show).decidedBy == .messageSeen)
    }
}
