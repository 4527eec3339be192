import Consent
import Testing
import WaypostSchema
import WaypostTestSupport

/// The decision whether a pin brings an offer, reason by reason; in each test only one reason can decide.
@Suite struct OfferReasonTests {
    @Test(.proves("B9", "B43"))
    func firstPinForAnAppBringsTheOffer() {
        var person = Person()
        let decision = person.pins(day: 0)
        #expect(decision.isOffered)
        #expect(decision.reason == .firstPins)
        #expect(decision.until == .day(14))
        #expect(decision.at == .day(0))
        #expect(decision.app == tv)
    }

    @Test func everyAppHasItsOwnFirstPin() {
        var person = Person()
        #expect(person.pins(day: 0).reason == .firstPins)
        #expect(person.pins(day: 0, for: news).reason == .firstPins)
    }

    @Test func appsOfALinkAreDecidedSeparately() {
        var consent = ConsentChoices()
        let occasion = consent.pin(show, in: family, message: "m1", at: .choice(1))
        #expect([tv, news].map { consent.considerOffer(for: $0, after: occasion).reason } == [.firstPins, .firstPins])
    }

    @Test(.proves("B43"))
    func furtherPinsBringTheOfferAgain() {
        var person = Person()
        person.pins(day: 0)
        let decision = person.pins(day: 15)
        #expect(decision.isOffered)
        #expect(decision.reason == .morePins)
        #expect(decision.until == .day(29))
    }

    @Test func nothingIsOfferedWhileAutomaticSharingIsOn() {
        var person = Person()
        person.consent.setAutomaticSharing(of: tv, isOn: true, at: person.next(day: 0))
        person.expects(.alreadyOn, day: 0)
        person.consent.setAutomaticSharing(of: tv, isOn: false, at: person.next(day: 0))
        #expect(person.pins(day: 0).isOffered)
    }

    @Test func nothingIsOfferedWhileSharingIsOffEverywhere() {
        var person = Person()
        person.consent.setSharing(.everywhere, isOn: false, at: person.next(day: 0))
        person.expects(.offEverywhere, day: 0)
        person.consent.setSharing(.everywhere, isOn: true, at: person.next(day: 0))
        #expect(person.pins(day: 0).isOffered)
    }

    @Test func nothingIsOfferedWhileSharingIsOffForTheApp() {
        var person = Person()
        person.consent.setSharing(.app(tv), isOn: false, at: person.next(day: 0))
        person.expects(.offForApp, day: 0)
        #expect(person.pins(day: 0, for: news).isOffered)
        person.consent.setSharing(.app(tv), isOn: true, at: person.next(day: 0))
        #expect(person.pins(day: 0).isOffered)
    }

    @Test func nothingIsOfferedAfterTwoRefusals() {
        var person = Person()
        person.pins(day: 0)
        #expect(person.answers(.declined, day: 0) == true)
        #expect(person.pins(day: 15).isOffered)
        #expect(person.answers(.declined, day: 15) == true)
        person.pins(day: 999)
        person.expects(.refused, day: 1_000)
        #expect(person.pins(day: 1_000, for: news).isOffered)
    }

    @Test func repeatedPinBringsNoOffer() {
        var person = Person(OfferRules(quietInDays: 0))
        #expect(person.pins(day: 0, message: "m1").isOffered)
        #expect(person.pins(day: 1, message: "m2").isOffered)
        let decision = person.pins(day: 2, message: "m2")
        #expect(!decision.isOffered)
        #expect(decision.reason == .samePin)
    }

    @Test func pinRepeatedAfterAnUnpinIsTheSamePin() {
        var person = Person(OfferRules(quietInDays: 0))
        person.pins(day: 0, message: "m1")
        person.pins(day: 1, message: "m2")
        person.consent.unpin(show, message: "m2")
        #expect(person.pins(day: 2, message: "m2").reason == .samePin)
    }

    @Test func existingPinStaysTheSamePinForever() {
        var person = Person()
        person.pins(day: 0, message: "m1")
        person.pins(day: 99, message: "m2")
        #expect(person.pins(day: 100, message: "m1").reason == .samePin)
    }

    @Test func twoLinksOfAMessageAreTwoPinsUntilTheyHaveTheSameKey() {
        var person = Person()
        person.pins(day: 0, message: "m1")
        let other = person.consent.pin(film, in: family, message: "m1", at: person.next(day: 1))
        #expect(person.consent.considerOffer(for: tv, after: other).reason == .offerOpen)
        var resolved = person
        resolved.consent.rekey(film, to: show)
        // Of the two pins, the first one stays, and it is too old at that time.
        #expect(person.pins(day: 31).reason == .morePins)
        #expect(resolved.pins(day: 31).reason == .tooFewPins)
    }

    @Test func pinStaysTheSamePinUnderAnotherKey() {
        var person = Person(OfferRules(quietInDays: 0))
        person.pins(day: 0, message: "m1")
        person.pins(day: 1, message: "m2")
        person.consent.unpin(show, message: "m2")
        person.consent.rekey(show, to: film)
        let again = person.consent.pin(film, in: family, message: "m2", at: person.next(day: 2))
        #expect(person.consent.considerOffer(for: tv, after: again).reason == .samePin)
    }

    @Test func repetitionsAreNotFurtherPins() {
        var person = Person()
        person.pins(day: 0, message: "m1")
        person.pins(day: 20, message: "m1")
        person.pins(day: 28, message: "m1")
        #expect(person.pins(day: 31, message: "m2").reason == .tooFewPins)
    }

    @Test func nothingIsOfferedWhileAnOfferIsOpen() {
        var person = Person()
        person.pins(day: 0)
        let decision = person.pins(day: 13)
        #expect(!decision.isOffered)
        #expect(decision.reason == .offerOpen)
        #expect(decision.until == .day(14))
    }

    @Test(arguments: [OfferAnswer.declined, .ignored])
    func nothingIsOfferedSoonAfterAnOffer(_ answer: OfferAnswer) {
        var person = Person()
        person.pins(day: 0)
        #expect(person.answers(answer, day: 0) == true)
        let decision = person.pins(day: 13)
        #expect(!decision.isOffered)
        #expect(decision.reason == .quiet)
        #expect(decision.until == .day(14))
    }

    @Test func onePinIsNotEnoughForALaterOffer() {
        var person = Person()
        person.pins(day: 0)
        let decision = person.pins(day: 31)
        #expect(!decision.isOffered)
        #expect(decision.reason == .tooFewPins)
        #expect(decision.until == nil)
    }
}

extension Person {
    /// Pins and expects no offer, for `reason`.
    fileprivate mutating func expects(_ reason: OfferDecision.Reason, day: Int) {
        let decision = pins(day: day)
        #expect(!decision.isOffered)
        #expect(decision.reason == reason)
    }
}
