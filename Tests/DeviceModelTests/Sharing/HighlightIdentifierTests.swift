import Testing
import WaypostSchema

/// The identifier of a highlight in an app.
@Suite struct HighlightIdentifierTests {
    private static let guide: BundleIdentifier = "com.example.guide"
    private var device = SharingDevice(apps: [.tv, .sharing(Self.guide, "applinks:tv.example")])

    init() {
        device.fetch(AssociationText.offering("/shows/*", to: .tv, Self.guide), of: "tv.example")
        device.shareAutomatically(with: .tv, Self.guide)
        device.receive(Link.show)
    }

    private func id(_ url: String = Link.show, in app: BundleIdentifier = .tv) throws -> HighlightID {
        try #require(device.highlight(for: url, of: app)).id
    }

    @Test mutating func identifierStaysWhenTheLinkIsSharedAgain() throws {
        let before = try id()
        device.receive("\(Link.show)/?utm_source=share", from: .sarah, in: .sarah)
        #expect(try id() == before)
        device.apply(.sharing(.conversationDeleted(.enrique)))
        #expect(try id() == before)
    }

    @Test mutating func identifierIsTheSameWhenTheLinkReturns() throws {
        let before = try id()
        device.apply(.sharing(.linkRemoved(url: Link.show)))
        device.apply(.sharing(.linkRestored(url: Link.show)))
        #expect(try id() == before)
    }

    @Test mutating func identifierDoesNotDependOnPinsAndFeedback() throws {
        let before = try id()
        device.pin(device.receive(Link.show))
        device.apply(.sharing(.contentFinished(.tv, url: Link.show)))
        #expect(try id() == before)
    }

    @Test func identifierIsTheSameInEveryRun() throws {
        var other = SharingDevice(contacts: [.sarah])
        other.pin(other.receive("Hey \(Link.show)", from: .sarah, in: .sarah))
        #expect(try #require(other.highlight(for: Link.show)).id == (try id()))
    }

    @Test func identifierOfALinkDiffersBetweenApps() throws {
        #expect(try id() != (try id(in: Self.guide)))
    }

    @Test mutating func linksHaveDifferentIdentifiers() throws {
        for number in 0..<50 { device.receive("https://tv.example/shows/\(number)") }
        let identifiers = device.page().highlights.map(\.id)
        #expect(identifiers.count == 51)
        #expect(Set(identifiers).count == 51)
    }

    @Test func identifierRevealsNothingOfTheLink() throws {
        let text = try id().rawValue
        #expect(text.utf8.count == 26)
        #expect(text.allSatisfy { "abcdefghijklmnopqrstuvwxyz234567".contains($0) })
    }
}
