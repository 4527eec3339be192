internal import WaypostSchema

/// The stored history of the offers for one app: only what the next decision needs.
struct OfferHistory: Sendable, Equatable, Codable {
    /// The latest pins of different links, in order of time.
    private var pins: [RecordedPin] = []

    /// The time of the last offer or refusal; `nil` before the first offer.
    private var quietSince: Timestamp?

    /// Whether the last offer is still unanswered.
    private var isOpen = false

    /// The number of refusals.
    private var refusals = 0

    /// Decides whether a pin triggers an offer, and records the pin and the offer.
    mutating func decide(
        after pinResult: PinResult,
        against obstacle: OfferDecision.Reason?,
        _ rules: OfferRules
    ) -> OfferDecision.Reason {
        let now = pinResult.moment.at
        let isRepetition = !record(pinResult, rules)
        let isQuiet = quietPeriodEnd(at: now, rules) != nil
        // An offer that is unanswered at the end of the quiet period counts as ignored.
        isOpen = isOpen && isQuiet
        if let obstacle { return obstacle }
        if refusals >= rules.refusalsUntilSilence { return .refused }
        if isRepetition { return .samePin }
        if isQuiet { return isOpen ? .offerOpen : .quiet }
        let isFirst = quietSince == nil
        let requiredPinCount = isFirst ? rules.pinsForFirstOffer : rules.pinsForLaterOffer
        guard pins.count >= requiredPinCount else { return .tooFewPins }
        quietSince = now
        isOpen = true
        return isFirst ? .firstPins : .morePins
    }

    /// Records an answer; returns `false` if no offer is open.
    mutating func recordAnswer(_ answer: OfferAnswer, at time: Timestamp) -> Bool {
        guard isOpen else { return false }
        isOpen = false
        if answer == .declined {
            refusals += 1
            quietSince = time
        }
        return true
    }

    /// Closes the open offer, if there is one.
    mutating func close() {
        isOpen = false
    }

    /// Returns the end of the quiet period at `now`; `nil` if there is none.
    func quietPeriodEnd(at now: Timestamp, _ rules: OfferRules) -> Timestamp? {
        quietSince.map(rules.quietPeriodEnd(startingAt:)).flatMap { $0 > now ? $0 : nil }
    }

    /// Returns the history with the pins of one key moved to another.
    func rekeyed(_ old: ContentKey, to new: ContentKey) -> Self {
        var history = self
        history.pins = []
        for var pin in pins {
            pin.key = pin.key == old ? new : pin.key
            if !history.pins.contains(where: pin.isForSameLink) { history.pins.append(pin) }
        }
        return history
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

/// A pin that counts for offers, even after it was removed, because it showed interest.
private struct RecordedPin: Sendable, Equatable, Codable {
    var key: ContentKey
    var message: MessageID
    var at: Timestamp

    /// Returns whether `other` is for the same link of the same message.
    func isForSameLink(_ other: Self) -> Bool {
        key == other.key && message == other.message
    }
}
