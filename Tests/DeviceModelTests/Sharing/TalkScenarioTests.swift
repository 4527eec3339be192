import Testing
import WaypostSchema
import WaypostTestSupport

/// The scenarios of the talk.
@Suite struct TalkScenarioTests {
    @Test(.proves("B1", "B2", "B75"))
    func showRecommendedDuringShoppingIsFoundLaterInTheTVApp() throws {
        var device = SharingDevice()
        device.shareAutomatically(with: .tv)
        let message = device.receive("You have to watch this: \(Link.show)")
        device.receive("Bring milk")
        device.receive("And eggs", from: .sarah, in: .sarah)
        device.advance(minutes: 6 * 60)
        #expect(device.page().state == .ready)
        #expect(device.shelf() == [Link.show])
        #expect(device.explanation(of: Link.show).message == message)
        #expect(device.shelf(of: .music).isEmpty)
    }

    @Test(.proves("B56", "B57"))
    func enriqueAndSarahShareTheSamePlaylist() throws {
        var device = SharingDevice()
        device.shareAutomatically(with: .music)
        device.receive("Top 25 Chicago \(Link.playlist)", from: .enrique, in: .enrique)
        device.receive("so good: \(Link.playlist)", from: .sarah, in: .sarah)
        let item = try #require(device.items(of: .music).first)
        #expect(device.shelf(of: .music) == [Link.playlist])
        #expect(item.conversations == [.sarah, .enrique])
        #expect(device.points(of: Link.playlist, in: .music)[.sharers] == 1_000)
        let senders = device.explanation(of: Link.playlist, for: .music).messages.map(\.sender)
        #expect(senders == [.sarah, .enrique])
    }

    @Test(.proves("B33"))
    func linkOfAGroupSurfacesWhenAParticipantBecomesAContact() {
        var device = SharingDevice(contacts: [])
        device.shareAutomatically(with: .tv)
        device.converse(.stranger, "+14085550198", in: .group)
        device.receive(Link.show, from: .stranger, in: .group)
        #expect(device.shelf().isEmpty)
        #expect(device.explanation(of: Link.show).decidedBy == .contact)
        device.apply(.sharing(.contactChanged(Contact(id: "new", handles: ["+14085550198"]))))
        #expect(device.shelf() == [Link.show])
    }

    @Test(.proves("B9", "B43", "B44"))
    func pinLeadsToTheOfferAndTheOfferToAutomaticSharing() {
        var device = SharingDevice()
        let pinned = device.receive(Link.show)
        device.receive(Link.otherShow)
        #expect(device.shelf().isEmpty)
        let offers = device.pin(pinned).offers
        #expect(offers.map(\.app) == [.tv] && offers.map(\.isOffered) == [true])
        #expect(device.shelf() == [Link.show])
        device.apply(.sharing(.automaticSharingOfferAnswered(.tv, .accepted)))
        // Further content becomes available, and the pinned link stays; what came before does not.
        #expect(device.shelf() == [Link.show])
        #expect(device.verdict(at: .permission, on: Link.otherShow)?.rule == .beforeAutomaticSharing)
        device.receive(Link.thirdShow)
        #expect(Set(device.shelf()) == [Link.show, Link.thirdShow])
        #expect(device.pin(device.receive(Link.thirdShow)).offers.map(\.reason) == [.alreadyOn])
    }

    @Test(.proves("B28"))
    func removedLinkDoesNotReturnWithTheNextMessage() {
        var device = SharingDevice()
        device.shareAutomatically(with: .tv)
        device.receive(Link.show)
        device.apply(.sharing(.linkRemoved(url: Link.show)))
        #expect(device.shelf().isEmpty)
        device.receive("Did you see it? \(Link.show)?utm_source=share", from: .sarah, in: .sarah)
        #expect(device.shelf().isEmpty)
        #expect(device.explanation(of: Link.show).decidedBy == .notRemoved)
    }

    @Test(.proves("B3"))
    func interactionOpensNoSceneAndTheUsersMessageKeepsTheLink() throws {
        var device = SharingDevice()
        device.shareAutomatically(with: .tv)
        device.receive(Link.show, from: .sarah, in: .sarah)
        let conversations = try #require(device.item(Link.show)).conversations
        #expect(conversations == [.sarah])
        let effects = device.apply(.sharing(.highlightInteracted(.tv, url: Link.show)))
        #expect(effects.allSatisfy { if case .scene(.sceneActivated) = $0 { false } else { true } })
        device.receive("I am about to watch it!", from: nil, in: .sarah)
        #expect(device.shelf() == [Link.show])
    }
}
