import Attribution
import DeviceModel
import Foundation
import Highlights
import Testing
import WaypostSchema
import WaypostTestSupport

/// The offer of automatic sharing, from the pin that brings it to its answer or its end.
@Suite struct PresentedOfferTests {
    private var device = SharingDevice()
    private var message: MessageID = ""

    init() {
        message = device.receive(Link.show)
    }

    private var standing: OfferDecision? {
        device.model.sharing.settings.offers?.first { $0.app == .tv }
    }

    private func expectOffer(isOpen: Bool, _ reason: OfferDecision.Reason) {
        #expect(standing?.isOffered == isOpen)
        #expect(standing?.reason == reason)
        let presented = device.model.presentedEffects
        #expect(presented.offers.map(\.app) == (isOpen ? [.tv] : []))
        #expect(presented.offers.map(\.explanation) == (isOpen ? [standing?.explanation ?? ""] : []))
    }

    @Test(.proves("B9", "B43", "B100")) mutating func pinLeavesAnOfferThatCanBeListedAndAnsweredLate() {
        expectOffer(isOpen: false, .tooFewPins)
        device.pin(message)
        expectOffer(isOpen: true, .firstPins)
        device.advance(days: 100)
        expectOffer(isOpen: true, .firstPins)
        device.apply(.sharing(.automaticSharingOfferAnswered(.tv, .accepted)))
        expectOffer(isOpen: false, .alreadyOn)
        #expect(device.model.sharing.settings.automatic == [.tv])
    }

    @Test(.proves("B43", "B100")) mutating func pinThatComesByPushLeavesAnOffer() throws {
        var notification = DeliveredNotification.example("n1", for: .messages)
        let pin = DeviceEvent.sharing(.linkPinned(message, url: nil))
        notification.payload = try JSONDecoder().decode(JSONValue.self, from: try JSONEncoder().encode(pin))
        device.apply(.notification(.notificationDelivered(notification)))
        expectOffer(isOpen: true, .firstPins)
    }

    @Test mutating func declinedOfferIsNotPresented() {
        device.pin(message)
        device.apply(.sharing(.automaticSharingOfferAnswered(.tv, .declined)))
        expectOffer(isOpen: false, .quiet)
    }

    /// Events after which no reason for the offer is left, and the reason that the device gives.
    static let ends: [(event: DeviceEvent, reason: OfferDecision.Reason)] = [
        (.sharing(.linkUnpinned("message-1", url: nil)), .noPinLeft),
        (.sharing(.messageDeleted("message-1")), .noPinLeft),
        (.sharing(.messageEdited("message-1", text: "nothing")), .noPinLeft),
        (.sharing(.conversationDeleted(.enrique)), .noPinLeft),
        (.sharing(.contactRemoved("card-1")), .noPinLeft),
        (.sharing(.linkRemoved(url: Link.show)), .noPinLeft),
        (.system(.appInstalled(.sharing(.tv, "applinks:other.example"))), .noPinLeft),
        (.sharing(.sharingSet(.app(.tv), isOn: false)), .offForApp),
        (.sharing(.sharingSet(.everywhere, isOn: false)), .offEverywhere),
        (.sharing(.automaticSharingSet(.tv, isOn: true)), .alreadyOn),
    ]

    @Test(.proves("B43", "B100"), arguments: ends)
    mutating func offerEndsWhenItsReasonEnds(_ end: (event: DeviceEvent, reason: OfferDecision.Reason)) {
        device.pin(message)
        let offers = device.apply(end.event).offers
        #expect(offers.map(\.reason) == [end.reason])
        #expect(offers.map(\.isOffered) == [false])
        #expect(device.model.presentedEffects.isEmpty)
        #expect(device.apply(.sharing(.automaticSharingOfferAnswered(.tv, .accepted))).ignored == [.noOpenOffer])
    }

    @Test mutating func offerEndsWithItsApp() {
        device.pin(message)
        device.apply(.system(.appRemoved(.tv)))
        device.apply(.system(.appInstalled(.tv)))
        #expect(device.model.presentedEffects.isEmpty)
    }

    @Test mutating func otherEventsKeepTheOffer() {
        device.pin(message)
        device.receive(Link.otherShow, from: .sarah, in: .sarah)
        device.apply(.sharing(.contactRemoved("card-2")))
        device.apply(.sharing(.linkResolved(url: Link.show, target: Link.thirdShow)))
        expectOffer(isOpen: true, .firstPins)
    }

    @Test mutating func appsWithoutTheCapabilityHaveNoStanding() {
        device.apply(.system(.appInstalled(.sharing(.tv, "applinks:tv.example", capability: false))))
        #expect(device.model.sharing.settings.offers?.map(\.app) == [.music])
    }

    @Test(.proves("B100")) mutating func offerIsDrawnWithTheNameOfTheApp() {
        device.pin(message)
        let card = device.model.offerCard(for: .tv)
        #expect(card.title?.contains("com.example.tv") == true)
        #expect(card.sections.count == 2)
    }
}
