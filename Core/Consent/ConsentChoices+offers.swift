internal import HashTreeCollections
public import WaypostSchema

extension ConsentChoices {
    /// Returns whether a pin brings the offer to turn on automatic sharing with an app; where it does, it is open then.
    ///
    /// - Parameters:
    ///   - app: an app that the link is for.
    ///   - occasion: what `pin` returned; it is asked with once for every such app.
    /// - Returns: whether the offer is made, and why.
    public mutating func offer(for app: BundleIdentifier, after occasion: PinOccasion) -> OfferDecision {
        let obstacle = obstacle(to: app)
        let (reason, quietEnd) = offers.decide(for: app, after: occasion, against: obstacle, rules.offers)
        return OfferDecision(
            app: app,
            isOffered: reason.isOffered,
            reason: reason,
            explanation: reason.explanation(for: app, rules.offers),
            until: quietEnd,
            at: occasion.moment.at
        )
    }

    /// Enters what a person said to an offer; *accepted* turns automatic sharing on, *declined* counts as a refusal.
    ///
    /// - Parameters:
    ///   - answer: what was said.
    ///   - app: the app that the offer was for.
    ///   - moment: when.
    /// - Returns: whether there was an open offer for the app; where not, nothing is changed.
    public mutating func answerOffer(
        _ answer: OfferAnswer,
        for app: BundleIdentifier,
        at moment: ChoiceMoment
    ) -> Bool {
        guard offers.answer(answer, for: app, at: moment.at) else { return false }
        if answer == .accepted { setAutomaticSharing(of: app, isOn: true, at: moment) }
        return true
    }

    /// What of the person's choices stands against any offer for `app`; `nil` for nothing.
    ///
    /// A pin goes before *off* for its own link only; to all others, which the offer is about, the *off* still applies.
    private func obstacle(to app: BundleIdentifier) -> OfferDecision.Reason? {
        if automatic[app]?.isOn == true { return .alreadyOn }
        if sharing.offEverywhere != nil { return .offEverywhere }
        return sharing.off(app) == nil ? nil : .offForApp
    }
}

extension OfferDecision.Reason {
    /// Whether the offer is made.
    var isOffered: Bool {
        self == .firstPins || self == .morePins
    }

    /// Returns the reason for a person.
    func explanation(for app: BundleIdentifier, _ rules: OfferRules) -> String {
        switch self {
        case .firstPins: "automatic sharing with \(app) was not offered before"
        case .morePins:
            "at least \(rules.pinsForLaterOffer) links for \(app) were pinned within \(rules.windowInDays) days"
        case .alreadyOn: "automatic sharing is on for \(app)"
        case .offEverywhere: "sharing is off everywhere"
        case .offForApp: "sharing is off for \(app)"
        case .refused: "the offer for \(app) was refused \(rules.refusalsUntilSilence) times"
        case .samePin: "the same link of the same message was pinned before"
        case .offerOpen: "the last offer for \(app) is not answered yet"
        case .quiet: "the last offer or refusal for \(app) is less than \(rules.quietInDays) days ago"
        case .tooFewPins: "too few links for \(app) were pinned within \(rules.windowInDays) days"
        }
    }
}
