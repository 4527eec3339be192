import Consent
import WaypostSchema

/// A user who pins links day by day.
struct Person {
    var consent: ConsentChoices
    private var number = 0

    init(_ rules: OfferRules = OfferRules()) {
        consent = ConsentChoices(rules: ConsentRules(offers: rules))
    }

    /// Returns the moment of the next choice.
    mutating func next(day: Int) -> EventMoment {
        next(at: .day(day))
    }

    /// Returns the moment of the next choice.
    mutating func next(at time: Timestamp) -> EventMoment {
        number += 1
        return EventMoment(at: time, eventNumber: number)
    }

    /// Pins the show in a message, by default a new one, and returns the decision about an offer.
    @discardableResult
    mutating func pins(day: Int, for app: BundleIdentifier = tv, message: MessageID? = nil) -> OfferDecision {
        pins(at: .day(day), for: app, message: message)
    }

    /// Pins the show in a message, by default a new one, and returns the decision about an offer.
    @discardableResult
    mutating func pins(at time: Timestamp, for app: BundleIdentifier = tv, message: MessageID? = nil) -> OfferDecision {
        let moment = next(at: time)
        let message = message ?? MessageID(rawValue: "new-\(moment.eventNumber)")
        return consent.considerOffer(for: app, after: consent.pin(show, in: family, message: message, at: moment))
    }

    /// Answers the offer for the TV app; returns whether there was an offer.
    mutating func answers(_ answer: OfferAnswer, day: Int) -> Bool {
        consent.answerOffer(answer, for: tv, at: next(day: day))
    }
}

extension Timestamp {
    /// Returns the time this many days of 24 hours after the epoch.
    static func day(_ day: Int) -> Self {
        Self(milliseconds: day * 86_400_000)
    }

    /// The time one millisecond earlier.
    var justBefore: Self {
        Self(milliseconds: rawValue - 1)
    }
}
