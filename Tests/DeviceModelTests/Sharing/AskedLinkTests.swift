import Testing
import WaypostSchema
import WaypostTestSupport

/// Queries about a link in another spelling than the one that was sent.
@Suite struct AskedLinkTests {
    private var device = SharingDevice()

    init() {
        device.fetch(AssociationText.offering("/shows/*", to: .tv), of: "tv.example")
        device.shareAutomatically(with: .tv)
    }

    @Test mutating func linkIsFoundWithoutItsScheme() {
        device.receive(Link.show)
        let bare = String(Link.show.dropFirst("https://".count))
        #expect(device.explanation(of: bare).isSurfaced)
        #expect(device.explanation(of: bare + "/cast").decidedBy == .messageSeen)
    }

    @Test mutating func keyIsExplainedForTheSentURL() throws {
        device.receive("\(Link.show)/?utm_source=share")
        let verdict = try #require(device.verdict(at: .contentKey, on: Link.show))
        #expect(verdict.explanation == "\(Link.show): trailing slashes dropped, tracking parameter utm_source dropped")
    }

    @Test mutating func schemeIsThatOfTheSentURL() throws {
        device.receive("http://tv.example/shows/lasso")
        #expect(device.verdict(at: .webScheme, on: Link.show)?.explanation == "the scheme is http")
    }

    @Test mutating func targetOfAShortLinkIsNotRevealedToAnApp() {
        let short = "https://short.example/s"
        #expect(device.error(for: short)?.reason == .notAssociated)
        device.apply(.sharing(.linkResolved(url: short, target: Link.show)))
        #expect(device.error(for: short)?.reason == .notAssociated)
    }

    @Test mutating func deliveryGateNamesTheUpdateOfTheLatestMessage() throws {
        device.receive(Link.show)
        let first = try #require(device.verdict(at: .delivered, on: Link.show)).explanation
        device.receive(Link.show, from: .sarah, in: .sarah)
        let second = try #require(device.verdict(at: .delivered, on: Link.show)).explanation
        #expect(first != second)
        #expect(second.hasSuffix(", 0 ms after it was sent"))
    }

    @Test mutating func domainIsCaseInsensitive() {
        device.receive(Link.show)
        device.fetch(AssociationText.offering("/films/*", to: .tv), of: "TV.example")
        #expect(device.shelf().isEmpty)
    }

    @Test mutating func pinOfALinkThatCannotSurfaceBringsNoOffer() {
        let strange = device.receive(Link.playlist, from: .stranger, in: .stranger)
        #expect(device.pin(strange).offers.isEmpty)
        let own = device.receive(Link.playlist, from: nil)
        #expect(device.pin(own).offers.isEmpty)
        let known = device.receive(Link.playlist)
        #expect(device.pin(known).offers.map(\.reason) == [.firstPins])
    }

    @Test mutating func reportExplainsAnEmptyList() {
        #expect(device.report()?.explanation == "no link passed every gate")
        #expect(device.report(on: .music)?.explanation.hasSuffix("so only pinned links can") == true)
        device.turnOff(.app(.tv))
        #expect(device.report()?.explanation == "sharing is off for com.example.tv")
        device.turnOff(.everywhere)
        #expect(device.report()?.explanation == "sharing is off everywhere")
    }
}
