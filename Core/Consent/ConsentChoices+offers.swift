internal import HashTreeCollections
public import WaypostSchema

extension ConsentChoices {
    /// Decides whether a pin triggers the offer of automatic sharing with an app, and opens the offer if it does.
    ///
    /// - Parameters:
    ///   - app: an app that the link is for.
    ///   - pin: the result of `pin`; call this method once with it for each such app.
    /// - Returns: whether the offer is made, and why.
    public mutating func considerOffer(for app: BundleIdentifier, after pin: PinResult) -> OfferDecision {
        let obstacle = obstacle(to: app)
        var history = offers[app] ?? OfferHistory()
        let reason = history.decide(after: pin, against: obstacle, rules.offers)
        offers[app] = history
        return OfferDecision(
            app: app,
            isOffered: reason.isOffered,
            reason: reason,
            explanation: reason.explanation(for: app, rules.offers),
            until: history.quietPeriodEnd(at: pin.moment.at, rules.offers),
            at: pin.moment.at
        )
    }

    /// Records the user's answer to an offer: *accepted* turns automatic sharing on, *declined* counts as a refusal.
    ///
    /// - Parameters:
    ///   - answer: the answer.
    ///   - app: the app that the offer was for.
    ///   - moment: the time of the answer.
    /// - Returns: whether there was an open offer for the app; if not, nothing changes.
    public mutating func answerOffer(
        _ answer: OfferAnswer,
        for app: BundleIdentifier,
        at moment: EventMoment
    ) -> Bool {
        guard var history = offers[app], history.recordAnswer(answer, at: moment.at) else { return false }
        offers[app] = history
        if answer == .accepted { setAutomaticSharing(of: app, isOn: true, at: moment) }
        return true
    }

    /// Returns the user's choice that rules out any offer for `app`; `nil` if there is none.
    ///
    /// A pin overrides *off* for its own link only. The offer is about all other links, to which *off* still applies.
    private func obstacle(to app: BundleIdentifier) -> OfferDecision.Reason? {
        if automatic[app]?.isOn == true { return .alreadyOn }
        if sharing.offEverywhere != nil { return .offEverywhere }
        return sharing.offApps[app] == nil ? nil : .offForApp
    }
}

extension OfferDecision.Reason {
    /// Whether the offer is made.
    var isOffered: Bool {
        self == .firstPins || self == .morePins
    }

    /// Returns a human-readable reason.
    func explanation(for app: BundleIdentifier, _ rules: OfferRules) -> String {
        switch self {
        case .firstPins: "automatic sharing with \(app) has not been offered before"
        case .morePins:
            "at least \(rules.pinsForLaterOffer) links for \(app) were pinned within \(rules.windowInDays) days"
        case .alreadyOn: "automatic sharing is on for \(app)"
        case .offEverywhere: "sharing is off everywhere"
        case .offForApp: "sharing is off for \(app)"
        case .refused: "the offer for \(app) was refused \(rules.refusalsUntilSilence) times"
        case .samePin: "the link in this message was pinned before"
        case .offerOpen: "the last offer for \(app) has not been answered yet"
        case .quiet: "the last offer or refusal for \(app) was less than \(rules.quietInDays) days ago"
        case .tooFewPins: "too few links for \(app) were pinned within \(rules.windowInDays) days"
        }
    }
}
