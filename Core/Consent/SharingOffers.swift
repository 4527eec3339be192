internal import HashTreeCollections
internal import WaypostSchema

/// The offers to turn on automatic sharing that were made to a person, by app.
struct SharingOffers: Sendable, Equatable, Codable {
    private var historyByApp: TreeDictionary<BundleIdentifier, OfferHistory> = [:]

    /// Decides whether a pin brings an offer, and remembers the pin and the offer.
    ///
    /// - Parameters:
    ///   - app: the app that the link is for.
    ///   - occasion: the pin.
    ///   - obstacle: what of the person's choices stands against any offer; `nil` for nothing.
    ///   - rules: the numbers.
    /// - Returns: what decided, and when the quiet ends, where there is one.
    mutating func decide(
        for app: BundleIdentifier,
        after occasion: PinOccasion,
        against obstacle: OfferDecision.Reason?,
        _ rules: OfferRules
    ) -> (reason: OfferDecision.Reason, quietEnd: Timestamp?) {
        var history = historyByApp[app] ?? OfferHistory()
        let reason = history.decide(after: occasion, against: obstacle, rules)
        historyByApp[app] = history
        return (reason, history.quietEnd(at: occasion.moment.at, rules))
    }

    /// Enters the answer to the open offer for `app`.
    ///
    /// - Returns: whether there was one.
    mutating func answer(_ answer: OfferAnswer, for app: BundleIdentifier, at time: Timestamp) -> Bool {
        guard var history = historyByApp[app], history.answer(answer, at: time) else { return false }
        historyByApp[app] = history
        return true
    }

    /// Closes the open offer for `app`, where there is one: it has become pointless.
    mutating func close(_ app: BundleIdentifier) {
        historyByApp[app]?.close()
    }

    /// Moves the pins that are remembered from one key to another.
    ///
    /// - Complexity: O(n) for n apps; a link seldom gets another key.
    mutating func rekey(_ old: ContentKey, to new: ContentKey) {
        historyByApp = historyByApp.mapValues { $0.rekeyed(old, to: new) }
    }
}
