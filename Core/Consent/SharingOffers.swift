internal import HashTreeCollections
internal import WaypostSchema

/// The offers of automatic sharing that were made to the user, by app.
struct SharingOffers: Sendable, Equatable, Codable {
    private var historyByApp: TreeDictionary<BundleIdentifier, OfferHistory> = [:]

    /// Decides whether a pin triggers an offer, and records the pin and the offer.
    ///
    /// - Parameters:
    ///   - app: the app that the link is for.
    ///   - occasion: the pin.
    ///   - obstacle: the user's choice that rules out any offer; `nil` if there is none.
    ///   - rules: the rules for offers.
    /// - Returns: the reason for the decision, and the end of the quiet period if there is one.
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

    /// Records the answer to the open offer for `app`.
    ///
    /// - Returns: whether there was one.
    mutating func answer(_ answer: OfferAnswer, for app: BundleIdentifier, at time: Timestamp) -> Bool {
        guard var history = historyByApp[app], history.answer(answer, at: time) else { return false }
        historyByApp[app] = history
        return true
    }

    /// Closes the open offer for `app`, if there is one, because it is no longer needed.
    mutating func close(_ app: BundleIdentifier) {
        historyByApp[app]?.close()
    }

    /// Moves the recorded pins from one key to another.
    ///
    /// - Complexity: O(n) for n apps; a link rarely gets another key.
    mutating func rekey(_ old: ContentKey, to new: ContentKey) {
        historyByApp = historyByApp.mapValues { $0.rekeyed(old, to: new) }
    }
}
