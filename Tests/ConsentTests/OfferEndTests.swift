import Consent
import Testing
import WaypostSchema
import WaypostTestSupport

/// The open offer as it is now, and its end when the reason for it ends.
@Suite struct OfferEndTests {
    private var person = Person()

    init() {
        person.pins(day: 0, message: "m1")
    }

    private mutating func end(day: Int = 1, canSurface: Bool = true) -> OfferDecision.Reason? {
        person.consent.endOfferWithoutReason(for: tv, at: .day(day)) { _, _ in canSurface }?.reason
    }

    @Test(.proves("B43")) mutating func offerStaysWhileItsLinkIsPinned() {
        let reason = end()
        #expect(reason == nil)
        #expect(person.consent.appsWithOpenOffers == [tv])
        let standing = person.consent.offerStanding(for: tv, at: .day(100))
        #expect(standing.isOffered && standing.reason == .firstPins && standing.at == .day(0))
    }

    @Test mutating func offerEndsWithTheLastPinThatLedToIt() {
        person.consent.answerAndPinTwice()
        person.consent.unpin(show, message: "m2")
        var reason = end(day: 20)
        #expect(reason == nil)
        person.consent.unpin(show, message: "m3")
        reason = end(day: 20)
        #expect(reason == .noPinLeft)
        #expect(person.consent.appsWithOpenOffers.isEmpty)
        let isAnswered = person.answers(.accepted, day: 20)
        #expect(!isAnswered)
        // It ends once.
        reason = end(day: 20)
        #expect(reason == nil)
    }

    @Test mutating func pinWhileTheOfferIsOpenKeepsIt() {
        person.pins(day: 1, message: "m2")
        person.consent.unpin(show, message: "m1")
        var reason = end()
        #expect(reason == nil)
        person.consent.unpin(show, message: "m2")
        reason = end()
        #expect(reason == .noPinLeft)
    }

    @Test mutating func everyPinWhileTheOfferIsOpenKeepsIt() {
        let messages: [MessageID] = ["m2", "m3", "m4"]
        for message in messages { person.pins(day: 1, message: message) }
        for message in messages { person.consent.unpin(show, message: message) }
        var reason = end()
        #expect(reason == nil)
        person.consent.unpin(show, message: "m1")
        reason = end()
        #expect(reason == .noPinLeft)
    }

    @Test mutating func pinWhileAutomaticSharingIsOnDoesNotCountForALaterOffer() {
        person.consent.setAutomaticSharing(of: tv, isOn: true, at: person.next(day: 1))
        person.pins(day: 20, message: "m2")
        person.consent.setAutomaticSharing(of: tv, isOn: false, at: person.next(day: 21))
        let decision = person.pins(day: 40, message: "m3")
        #expect(decision.reason == .tooFewPins)
    }

    @Test mutating func offerEndsWhenItsLinkCannotReachTheApp() {
        let reason = end(canSurface: false)
        #expect(reason == .noPinLeft)
    }

    @Test mutating func offerEndsWhenItsLinkIsRemoved() {
        person.consent.remove(show, at: person.next(day: 1))
        let reason = end()
        #expect(reason == .noPinLeft)
    }

    @Test(arguments: [(.everywhere, .offEverywhere), (.app(tv), .offForApp)] as [(SharingScope, OfferDecision.Reason)])
    mutating func offerEndsWhenSharingIsTurnedOff(_ scope: SharingScope, _ expected: OfferDecision.Reason) {
        person.consent.setSharing(scope, isOn: false, at: person.next(day: 1))
        let reason = end()
        #expect(reason == expected)
        person.consent.setSharing(scope, isOn: true, at: person.next(day: 2))
        #expect(person.consent.offerStanding(for: tv, at: .day(2)).reason == .quiet)
    }

    @Test mutating func pinOfAResolvedLinkKeepsTheOffer() {
        person.consent.rekey(show, to: film)
        let reason = end()
        #expect(reason == nil)
        person.consent.unpin(film, message: "m1")
        let later = end()
        #expect(later == .noPinLeft)
    }

    @Test mutating func standingSaysWhyNothingIsOffered() {
        #expect(person.consent.offerStanding(for: news, at: .day(0)).reason == .tooFewPins)
        #expect(
            person.consent.offerStanding(for: news, at: .day(0)).explanation
                == """
                automatic sharing with com.example.news is not offered now: the next pinned link for it can lead to the \
                offer
                """
        )
        let isAnswered = person.answers(.declined, day: 1)
        #expect(isAnswered)
        #expect(person.consent.offerStanding(for: tv, at: .day(2)).reason == .quiet)
        #expect(person.consent.offerStanding(for: tv, at: .day(2)).until == .day(15))
        #expect(person.consent.offerStanding(for: tv, at: .day(50)).explanation.contains("2 more pinned links"))
        person.consent.setAutomaticSharing(of: tv, isOn: true, at: person.next(day: 50))
        #expect(person.consent.offerStanding(for: tv, at: .day(50)).reason == .alreadyOn)
    }

    @Test mutating func everyReasonSaysWhetherItIsOffered() {
        for day in [0, 1, 15, 30] {
            let decision = person.pins(day: day)
            #expect(decision.explanation.contains("is not offered") == !decision.isOffered)
            #expect(decision.explanation.contains("is offered now") == decision.isOffered)
        }
    }
}

extension ConsentChoices {
    /// Ignores the first offer, and pins the show in two more messages, which leads to a second offer.
    fileprivate mutating func answerAndPinTwice() {
        _ = answerOffer(.ignored, for: tv, at: EventMoment(at: .day(1), eventNumber: 100))
        for (number, day) in [(2, 13), (3, 16)] {
            let moment = EventMoment(at: .day(day), eventNumber: 100 + number)
            let message = MessageID(rawValue: "m\(number)")
            _ = considerOffer(for: tv, after: pin(show, in: family, message: message, at: moment))
        }
    }
}
