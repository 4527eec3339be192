import Consent
import Testing
import WaypostSchema

/// The numbers of the heuristic, each at its limit and each with another value.
@Suite struct OfferNumberTests {
    @Test(arguments: [(Timestamp.day(14).justBefore, OfferDecision.Reason.offerOpen), (.day(14), .morePins)])
    func quietPeriodIsExactlyFourteenDays(time: Timestamp, reason: OfferDecision.Reason) {
        var person = Person()
        person.pins(day: 0)
        #expect(person.pins(at: time).reason == reason)
    }

    @Test(arguments: [(30, OfferDecision.Reason.morePins), (31, .tooFewPins)])
    func pinCountsForThirtyDays(day: Int, reason: OfferDecision.Reason) {
        var person = Person()
        person.pins(day: 0)
        #expect(person.pins(day: day).reason == reason)
    }

    @Test func windowIsExactToTheMillisecond() {
        var person = Person()
        person.pins(at: Timestamp.day(0).justBefore)
        #expect(person.pins(day: 30).reason == .tooFewPins)
    }

    @Test func pinsDuringTheQuietPeriodCount() {
        var person = Person()
        person.pins(day: 0)
        person.pins(day: 10)
        #expect(person.pins(day: 35).reason == .morePins)
    }

    @Test func pinsWhileNothingIsOfferedCount() {
        var person = Person(OfferRules(pinsForFirstOffer: 2))
        person.consent.setSharing(.app(tv), isOn: false, at: person.next(day: 0))
        person.pins(day: 1)
        person.consent.setSharing(.app(tv), isOn: true, at: person.next(day: 2))
        #expect(person.pins(day: 3).reason == .firstPins)
    }

    @Test func everyNumberIsConfigurable() {
        var person = Person(
            OfferRules(
                pinsForFirstOffer: 3,
                pinsForLaterOffer: 4,
                windowInDays: 5,
                quietInDays: 1,
                refusalsUntilSilence: 1
            )
        )
        let reasons = [0, 1, 2, 3, 6].map { person.pins(day: $0).reason }
        #expect(reasons == [.tooFewPins, .tooFewPins, .firstPins, .morePins, .morePins])
        #expect(person.answers(.declined, day: 6) == true)
        #expect(person.pins(day: 7).reason == .refused)
    }

    @Test func explanationHasTheConfiguredNumbers() {
        var person = Person(OfferRules(pinsForLaterOffer: 3, windowInDays: 7, quietInDays: 1))
        person.pins(day: 0)
        let reasons = [2, 3].map { person.pins(day: $0).explanation }
        #expect(reasons.first?.hasSuffix("is not offered: too few links for it were pinned within 7 days") == true)
        #expect(reasons.last?.hasSuffix("because at least 3 links for it were pinned within 7 days") == true)
    }

    @Test(arguments: [Int.min, .max, 0, -1])
    func extremeTimesAndNumbersDoNotCrash(_ number: Int) {
        let times = [Int.min, .max, 0].map(Timestamp.init(milliseconds:))
        var person = Person(
            OfferRules(
                pinsForFirstOffer: number,
                pinsForLaterOffer: number,
                windowInDays: number,
                quietInDays: number,
                refusalsUntilSilence: number
            )
        )
        for time in times + times {
            let decision = person.pins(at: time)
            #expect(decision.at == time)
        }
    }

    @Test func startOfTheWindowIsClamped() {
        var person = Person(OfferRules(quietInDays: 0))
        person.pins(at: Timestamp(milliseconds: .min))
        #expect(person.pins(at: Timestamp(milliseconds: .min)).reason == .morePins)
    }

    @Test func endOfTheQuietPeriodIsClamped() {
        var person = Person()
        let end = Timestamp(milliseconds: .max)
        #expect(person.pins(at: end.justBefore).until == end)
        #expect(person.pins(at: end.justBefore).reason == .offerOpen)
    }

    @Test func onlyThePinsNeededForTheNextDecisionAreStored() {
        var busy = Person()
        var calm = Person()
        busy.pins(day: 0, message: "first")
        calm.pins(day: 0, message: "first")
        // An open offer keeps the pins that led to it, and those since then.
        let areAnswered = [busy.answers(.declined, day: 0), calm.answers(.declined, day: 0)]
        #expect(areAnswered == [true, true])
        for number in 1...1_000 {
            let message = MessageID(rawValue: "m\(number)")
            let moment = EventMoment(at: .day(1), eventNumber: number)
            for isCalm in number > 998 ? [true, false] : [false] {
                isCalm ? calm.pinsBriefly(message, moment) : busy.pinsBriefly(message, moment)
            }
        }
        #expect(busy.consent == calm.consent)
    }
}

extension Person {
    /// Pins and unpins the show, so that only the records for offers remain.
    fileprivate mutating func pinsBriefly(_ message: MessageID, _ moment: EventMoment) {
        _ = consent.considerOffer(for: tv, after: consent.pin(show, in: family, message: message, at: moment))
        consent.unpin(show, message: message)
    }
}
