import Testing
import WaypostSchema
import WaypostTestSupport

/// Links that the user pins in Messages.
@Suite struct PinnedLinkTests {
    private var device = SharingDevice()
    private var message: MessageID = ""

    init() {
        message = device.receive(Link.show)
    }

    @Test(.proves("B5", "B42")) mutating func pinnedLinkSurfacesWhileAutomaticSharingIsOff() {
        device.receive(Link.otherShow)
        #expect(device.shelf().isEmpty)
        device.pin(message)
        #expect(device.shelf() == [Link.show])
        #expect(device.item(Link.show)?.isPinned == true)
        #expect(device.verdict(at: .permission, on: Link.show)?.rule == .pinned)
    }

    @Test(.proves("B45")) mutating func unpinnedLinkIsStoppedWhileAutomaticSharingIsOff() {
        #expect(device.explanation(of: Link.show).decidedBy == .permission)
        device.shareAutomatically(with: .tv)
        device.shareAutomatically(with: .tv, isOn: false)
        #expect(device.explanation(of: Link.show).decidedBy == .permission)
        #expect(device.shelf().isEmpty)
    }

    @Test mutating func linkLeavesWhenItIsUnpinned() {
        device.pin(message)
        device.unpin(message)
        #expect(device.shelf().isEmpty)
        #expect(device.unpin(message).ignored == [.notPinned])
    }

    @Test(.proves("B42")) mutating func turningAutomaticSharingOffKeepsPinnedLinks() {
        device.shareAutomatically(with: .tv)
        device.receive(Link.otherShow)
        device.pin(message)
        device.shareAutomatically(with: .tv, isOn: false)
        #expect(device.shelf() == [Link.show])
    }

    @Test(.proves("B6", "B8")) mutating func pinLiftsAnOldLinkAboveNewerOnes() {
        device.shareAutomatically(with: .tv)
        message = device.receive(Link.show)
        device.advance(days: 40)
        for url in [Link.otherShow, Link.thirdShow] { device.receive(url, from: .sarah, in: .sarah) }
        device.advance(minutes: 20)
        #expect(device.shelf() == [Link.thirdShow, Link.otherShow, Link.show])
        device.pin(message)
        #expect(device.shelf() == [Link.thirdShow, Link.show, Link.otherShow])
        #expect(device.points(of: Link.show)[.pinned] == 1_000)
    }

    @Test(.proves("B8")) mutating func pinnedLinkIsNeverTooOldToBeFirst() {
        device.shareAutomatically(with: .tv)
        message = device.receive(Link.show)
        device.pin(message)
        device.advance(days: 400)
        #expect(device.page().curated)
        #expect(device.verdict(at: .curation, on: Link.show)?.status == .pass)
        device.unpin(message)
        #expect(device.page().curationGap == .stale)
        #expect(device.verdict(at: .curation, on: Link.show)?.status == .fail)
    }

    @Test(.proves("B9", "B43")) mutating func firstPinForAnAppBringsTheOffer() {
        let offers = device.pin(message).offers
        #expect(offers.map(\.reason) == [.firstPins])
        let other = device.receive(Link.otherShow)
        #expect(device.pin(other).offers.map(\.reason) == [.offerOpen])
        #expect(device.pin(device.receive(Link.playlist)).offers.map(\.app) == [.music])
    }

    @Test mutating func pinOfALinkWithoutAnAppBringsNoOffer() {
        let message = device.receive("https://elsewhere.example/1")
        #expect(device.pin(message).isEmpty)
    }

    @Test mutating func pinBringsNoOfferForAnAppWithoutTheCapability() {
        device.apply(.system(.appInstalled(.sharing(.tv, "applinks:tv.example", capability: false))))
        #expect(device.pin(message).offers.isEmpty)
    }

    @Test mutating func answerWithoutAnOfferIsIgnored() {
        #expect(device.apply(.sharing(.automaticSharingOfferAnswered(.tv, .accepted))).ignored == [.noOpenOffer])
        device.pin(message)
        device.apply(.sharing(.automaticSharingOfferAnswered(.tv, .declined)))
        #expect(device.apply(.sharing(.automaticSharingOfferAnswered(.tv, .accepted))).ignored == [.noOpenOffer])
    }

    @Test mutating func pinInAnyConversationPinsTheLink() {
        let strange = device.receive(Link.show, from: .stranger, in: .stranger)
        device.pin(strange)
        #expect(device.shelf() == [Link.show])
        #expect(device.item(Link.show)?.isPinned == true)
        #expect(device.item(Link.show)?.conversations == [.enrique])
    }

    @Test mutating func unknownMessageOrLinkCannotBePinned() {
        #expect(device.pin("another").ignored == [.unknownMessage])
        #expect(device.pin(message, Link.otherShow).ignored == [.unknownLink])
        #expect(device.pin(device.receive("no link")).ignored == [.unknownLink])
        #expect(device.unpin("another").ignored == [.unknownMessage])
        #expect(device.unpin(message, Link.otherShow).ignored == [.unknownLink])
    }

    @Test(.proves("B42")) mutating func pinnedLinkStaysIfSharingIsTurnedOff() {
        device.pin(message)
        device.turnOff(.everywhere)
        #expect(device.shelf() == [Link.show])
        #expect(device.verdict(at: .sharingEverywhere, on: Link.show)?.rule == .pinnedAlways)
        let described = DeviceDescription(name: "phone", apps: [.tv, .music], pinnedIsAlwaysAvailable: false)
        device.apply(.system(.deviceDescribed(described)))
        #expect(device.shelf().isEmpty)
    }
}
