internal import WaypostSchema

/// The stored history of the offers for one app: only what the next decision needs.
struct OfferHistory: Sendable, Equatable, Codable {
    /// The latest pins of different links, in order of time.
    private var pins: [RecordedPin] = []

    /// The time of the last offer or refusal; `nil` before the first offer.
    private var quietSince: Timestamp?

    /// The last offer, if it is still unanswered.
    private(set) var openOffer: OpenOffer?

    /// The number of refusals.
    private var refusals = 0

    /// Decides whether a pin triggers an offer, and records the pin and the offer.
    mutating func decide(
        after pinResult: PinResult,
        against obstacle: OfferDecision.Reason?,
        _ rules: OfferRules
    ) -> OfferDecision.Reason {
        let now = pinResult.moment.at
        // While automatic sharing is on, a pin leads to no offer, now or later.
        let isRepetition = obstacle == .alreadyOn || !record(pinResult, rules)
        let isQuiet = quietPeriodEnd(at: now, rules) != nil
        // An offer that is unanswered at the end of the quiet period counts as ignored.
        if !isQuiet { openOffer = nil }
        if let obstacle { return obstacle }
        if refusals >= rules.refusalsUntilSilence { return .refused }
        if isRepetition { return .samePin }
        if isQuiet, openOffer == nil { return .quiet }
        if isQuiet {
            if let pin = pins.last { openOffer?.add(pin) }
            return .offerOpen
        }
        guard pins.count >= requiredPinCount(rules) else { return .tooFewPins }
        let reason: OfferDecision.Reason = quietSince == nil ? .firstPins : .morePins
        quietSince = now
        openOffer = OpenOffer(reason: reason, at: now, pins: pins)
        return reason
    }

    /// Records an answer; returns `false` if no offer is open.
    mutating func recordAnswer(_ answer: OfferAnswer, at time: Timestamp) -> Bool {
        guard openOffer != nil else { return false }
        openOffer = nil
        if answer == .declined {
            refusals += 1
            quietSince = time
        }
        return true
    }

    /// Closes the open offer, if there is one.
    mutating func close() {
        openOffer = nil
    }

    /// Returns why there is no open offer at `now`, if no choice of the user rules out any offer.
    func absenceReason(at now: Timestamp, _ rules: OfferRules) -> OfferDecision.Reason {
        if refusals >= rules.refusalsUntilSilence { return .refused }
        return quietPeriodEnd(at: now, rules) == nil ? .tooFewPins : .quiet
    }

    /// Returns how many more links must be pinned for an offer at `now`; a pin always leads to it, so at least one.
    func missingPinCount(at now: Timestamp, _ rules: OfferRules) -> Int {
        let windowStart = rules.windowStart(at: now)
        let (difference, hasOverflow) = requiredPinCount(rules)
            .subtractingReportingOverflow(pins.count(where: { $0.at >= windowStart }))
        return hasOverflow ? 1 : max(1, difference)
    }

    private func requiredPinCount(_ rules: OfferRules) -> Int {
        quietSince == nil ? rules.pinsForFirstOffer : rules.pinsForLaterOffer
    }

    /// Returns the end of the quiet period at `now`; `nil` if there is none.
    func quietPeriodEnd(at now: Timestamp, _ rules: OfferRules) -> Timestamp? {
        quietSince.map(rules.quietPeriodEnd(startingAt:)).flatMap { $0 > now ? $0 : nil }
    }

    /// Returns the history with the pins of one key moved to another.
    func rekeyed(_ old: ContentKey, to new: ContentKey) -> Self {
        var history = self
        history.pins = Self.rekeyed(pins, old, to: new)
        if let offer = openOffer {
            let offerPins = Self.rekeyed(offer.pins, old, to: new)
            history.openOffer = OpenOffer(reason: offer.reason, at: offer.at, pins: offerPins)
        }
        return history
    }

    private static func rekeyed(_ pins: [RecordedPin], _ old: ContentKey, to new: ContentKey) -> [RecordedPin] {
        pins.reduce(into: []) { rekeyedPins, pin in
            var pin = pin
            pin.key = pin.key == old ? new : pin.key
            if !rekeyedPins.contains(where: pin.isForSameLink) { rekeyedPins.append(pin) }
        }
    }

    /// Records a pin; returns `false` if it repeats a recorded one.
    private mutating func record(_ pinResult: PinResult, _ rules: OfferRules) -> Bool {
        let pin = RecordedPin(key: pinResult.key, message: pinResult.message, at: pinResult.moment.at)
        let windowStart = rules.windowStart(at: pin.at)
        pins.removeAll { $0.at < windowStart }
        guard pinResult.isNew, !pins.contains(where: pin.isForSameLink) else { return false }
        pins.append(pin)
        pins.removeFirst(max(0, pins.count - rules.maximumRecordedPins))
        return true
    }
}

/// An offer that the user has not answered.
struct OpenOffer: Sendable, Equatable, Codable {
    /// The maximum number of pins that keep the offer open, because the stored state must stay small.
    static let maximumPins = 100

    /// The reason for which the offer was made.
    let reason: OfferDecision.Reason

    /// The time of the offer.
    let at: Timestamp

    /// The latest pins that led to the offer, or were made while it was open.
    private(set) var pins: [RecordedPin]

    /// Adds a pin that was made while the offer is open.
    mutating func add(_ pin: RecordedPin) {
        pins.removeAll(where: pin.isForSameLink)
        pins.append(pin)
        pins.removeFirst(max(0, pins.count - Self.maximumPins))
    }
}

/// A pin that counts for offers, even after it was removed, because it showed interest.
struct RecordedPin: Sendable, Equatable, Codable {
    var key: ContentKey
    var message: MessageID
    var at: Timestamp

    /// Returns whether `other` is for the same link of the same message.
    func isForSameLink(_ other: Self) -> Bool {
        key == other.key && message == other.message
    }
}
