internal import WaypostSchema

/// What is remembered of the offers for one app: no more than the next decision needs.
struct OfferHistory: Sendable, Equatable, Codable {
    /// The latest pins of different links, in the order in which they were pinned.
    private var pins: [RememberedPin] = []

    /// When the last offer or refusal was; `nil` before the first offer.
    private var quietSince: Timestamp?

    /// Whether the last offer waits for its answer.
    private var isOpen = false

    /// How often the person refused.
    private var refusals = 0

    /// Decides whether a pin brings an offer, and remembers the pin and the offer.
    mutating func decide(
        after occasion: PinOccasion,
        against obstacle: OfferDecision.Reason?,
        _ rules: OfferRules
    ) -> OfferDecision.Reason {
        let now = occasion.moment.at
        let isRepetition = !remember(occasion, rules)
        let isQuiet = quietEnd(at: now, rules) != nil
        // An offer that was left unanswered for so long counts as ignored.
        isOpen = isOpen && isQuiet
        if let obstacle { return obstacle }
        if refusals >= rules.refusalsUntilSilence { return .refused }
        if isRepetition { return .samePin }
        if isQuiet { return isOpen ? .offerOpen : .quiet }
        let isFirst = quietSince == nil
        let needed = isFirst ? rules.pinsForFirstOffer : rules.pinsForLaterOffer
        guard pins.count >= needed else { return .tooFewPins }
        quietSince = now
        isOpen = true
        return isFirst ? .firstPins : .morePins
    }

    /// Enters an answer; false where no offer is open.
    mutating func answer(_ answer: OfferAnswer, at time: Timestamp) -> Bool {
        guard isOpen else { return false }
        isOpen = false
        if answer == .declined {
            refusals += 1
            quietSince = time
        }
        return true
    }

    /// Closes the open offer, where there is one.
    mutating func close() {
        isOpen = false
    }

    /// Returns when the quiet ends that there is at `now`; `nil` where there is none.
    func quietEnd(at now: Timestamp, _ rules: OfferRules) -> Timestamp? {
        quietSince.map(rules.quietEnd).flatMap { $0 > now ? $0 : nil }
    }

    /// Returns the history with the pins of one key moved to another.
    func rekeyed(_ old: ContentKey, to new: ContentKey) -> Self {
        var history = self
        history.pins = []
        for var pin in pins {
            pin.key = pin.key == old ? new : pin.key
            if !history.pins.contains(where: pin.isSame) { history.pins.append(pin) }
        }
        return history
    }

    /// Remembers a pin; false where it is the repetition of one.
    private mutating func remember(_ occasion: PinOccasion, _ rules: OfferRules) -> Bool {
        let pin = RememberedPin(key: occasion.key, message: occasion.message, at: occasion.moment.at)
        let start = rules.windowStart(pin.at)
        pins.removeAll { $0.at < start }
        guard occasion.isNew, !pins.contains(where: pin.isSame) else { return false }
        pins.append(pin)
        pins.removeFirst(max(0, pins.count - rules.rememberedPins))
        return true
    }
}

/// A pin that counts for offers, also after it was taken away: it was a sign of interest.
private struct RememberedPin: Sendable, Equatable, Codable {
    var key: ContentKey
    var message: MessageID
    var at: Timestamp

    /// Whether `other` is the same link of the same message.
    func isSame(_ other: Self) -> Bool {
        key == other.key && message == other.message
    }
}
