import Testing
import WaypostSchema
import WaypostTestSupport

/// The links that the user finds.
@Suite struct SearchTests {
    private var device = SharingDevice()
    private var show: MessageID = ""

    init() {
        let sarah = Contact(id: "card-2", givenName: "Sarah", familyName: "Ortiz", nickname: "Sal", handles: [.sarah])
        device.apply(.sharing(.contactChanged(sarah)))
        device.shareAutomatically(with: .tv, .music, "com.example.guide")
        device.converse(.enrique, .sarah, in: .group, name: "Film night")
        show = device.receive("You have to watch this tonight: \(Link.show)", from: .enrique, in: .enrique)
        device.receive("Best of the Windy City \(Link.playlist)", from: .sarah, in: .sarah)
        device.receive(Link.otherShow, from: .sarah, in: .group)
    }

    @Test(arguments: [
        ("lasso", [Link.show]), ("LASSO tv.Example", [Link.show]), ("playlists/top-25", [Link.playlist]),
        ("watch tonight", [Link.show]), ("windy", [Link.playlist]),
        ("enrique", [Link.show]), ("sarah", [Link.otherShow, Link.playlist]),
        ("ortiz", [Link.otherShow, Link.playlist]),
        ("sal windy", [Link.playlist]), ("film NIGHT", [Link.otherShow]), ("night", [Link.otherShow, Link.show]),
        ("", [Link.otherShow, Link.playlist, Link.show]), ("  ", [Link.otherShow, Link.playlist, Link.show]),
        ("lasso windy", []), ("nothing", []), ("card-2", []),
    ])
    func searchMatchesEveryWordInTheURLTextSenderOrConversation(_ query: String, _ urls: [String]) {
        #expect(device.found(query) == urls)
    }

    @Test(.proves("B7")) mutating func pinnedLinksAreFoundFirst() throws {
        device.pin(show)
        device.receive(Link.thirdShow)
        #expect(device.found("") == [Link.show, Link.thirdShow, Link.otherShow, Link.playlist])
        #expect(device.search("").map(\.isPinned) == [true, false, false, false])
        #expect(try #require(device.search("").first).explanation.hasSuffix("listed first because it is pinned"))
        device.pin(device.receive(Link.playlist, from: .sarah, in: .sarah))
        #expect(device.found("") == [Link.playlist, Link.show, Link.thirdShow, Link.otherShow])
    }

    @Test(.proves("B7")) mutating func everyReceivedLinkIsFoundThoseOfAppsBeforeTheRest() {
        device.receive("https://elsewhere.example/lasso")
        device.receive(Link.thirdShow, from: .stranger, in: .stranger)
        #expect(
            device.found("") == [
                Link.otherShow, Link.playlist, Link.show, Link.thirdShow, "https://elsewhere.example/lasso",
            ]
        )
        #expect(device.search("").map(\.apps) == [[.tv], [.music], [.tv], [], []])
        let reasons = device.search("").map { $0.explanation.split(separator: "; ").last.map(String.init) ?? "" }
        #expect(reasons[2] == "listed before the rest because an app has it, ordered by its latest share")
        #expect(reasons[3] == "listed last because no app has it, ordered by its latest share")
    }

    @Test mutating func linkThatOnlyTheUserSentIsNotFound() {
        device.receive(Link.thirdShow, from: nil)
        #expect(!device.found("").contains(Link.thirdShow))
    }

    @Test mutating func linksOfTheSameInstantAreFoundInTheOrderOfArrivalNewestFirst() {
        let urls = ["b", "c", "a"].map { "https://elsewhere.example/\($0)" }
        for url in urls { device.receive(url, sentAt: .talk) }
        #expect(device.found("elsewhere") == urls.reversed())
    }

    @Test func foundLinkNamesItsMatchesAndItsApps() throws {
        let found = try #require(device.search("watch enrique").first)
        #expect(found.apps == [.tv])
        #expect(found.conversations == [.enrique])
        #expect(found.explanation.contains("the text of \(show)"))
        #expect(found.explanation.contains("the name of the sender of \(show)"))
    }

    @Test(arguments: [(-1, 0), (0, 0), (2, 2), (9, 3)]) func limitBoundsTheNumberOfResults(limit: Int, count: Int) {
        #expect(device.found("", limit: limit).count == count)
    }

    @Test mutating func linkThatIsRemovedFromAppsIsStillFound() {
        device.apply(.sharing(.linkRemoved(url: Link.show)))
        #expect(device.search("lasso").map(\.apps) == [[]])
        #expect(device.found("") == [Link.otherShow, Link.playlist, Link.show])
    }

    @Test mutating func linkOfAConversationWithSharingOffIsStillFound() {
        device.turnOff(.conversation(.sarah))
        #expect(device.found("") == [Link.otherShow, Link.show, Link.playlist])
        device.turnOff(.everywhere)
        #expect(device.search("").map(\.apps) == [[], [], []])
    }

    @Test mutating func linkOfTwoAppsIsFoundOnce() {
        let guide: BundleIdentifier = "com.example.guide"
        device.apply(.system(.appInstalled(.sharing(guide, "applinks:tv.example"))))
        device.fetch(AssociationText.offering("/shows/*", to: .tv, guide), of: "tv.example")
        let found = device.search("lasso")
        #expect(found.map(\.apps) == [[guide, .tv]])
    }

    @Test mutating func searchUsesTheCurrentName() {
        device.apply(.sharing(.contactChanged(Contact(id: "card-1", givenName: "Henry", handles: [.enrique]))))
        #expect(device.found("henry") == [Link.show])
        #expect(device.found("enrique").isEmpty)
    }
}
