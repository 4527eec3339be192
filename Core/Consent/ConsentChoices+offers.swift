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
        return decision(reason, for: app, at: pin.moment.at)
    }

    /// Returns whether automatic sharing with an app is offered now, and why or why not.
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - now: the current time.
    /// - Returns: the decision about the open offer, with its time; if there is none, the reason for that.
    public func offerStanding(for app: BundleIdentifier, at now: Timestamp) -> OfferDecision {
        let history = offers[app] ?? OfferHistory()
        if let offer = history.openOffer { return decision(offer.reason, for: app, at: offer.at) }
        let reason = obstacle(to: app) ?? history.absenceReason(at: now, rules.offers)
        var standing = decision(reason, for: app, at: now)
        if reason == .tooFewPins {
            let count = history.missingPinCount(at: now, rules.offers)
            let links = count == 1 ? "the next pinned link for it" : "\(count) more pinned links for it"
            standing.explanation = "automatic sharing with \(app) is not offered now: \(links) can lead to the offer"
        }
        return standing
    }

    /// The apps with an open offer, sorted.
    public var appsWithOpenOffers: [BundleIdentifier] {
        offers.filter { $0.value.openOffer != nil }.keys.sorted { $0.rawValue < $1.rawValue }
    }

    /// Ends the open offer for an app if the reason for it has ended.
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - now: the current time.
    ///   - canSurface: whether a link that is pinned in a message can reach the app, apart from the user's choices.
    /// - Returns: the decision that there is no offer any more; `nil` if there was none, or if it stays.
    public mutating func endOfferWithoutReason(
        for app: BundleIdentifier,
        at now: Timestamp,
        canSurface: (ContentKey, MessageID) -> Bool
    ) -> OfferDecision? {
        guard let offer = offers[app]?.openOffer else { return nil }
        let isJustified = offer.pins.contains { recordedPin in
            guard let pin = pinned[recordedPin.key].first(where: { $0.message == recordedPin.message }) else {
                return false
            }
            let question = ConsentQuestion(key: recordedPin.key, app: app, conversation: pin.conversation)
            return allows(question) && canSurface(recordedPin.key, recordedPin.message)
        }
        guard let reason = obstacle(to: app) ?? (isJustified ? nil : .noPinLeft) else { return nil }
        offers[app]?.close()
        return decision(reason, for: app, at: now)
    }

    /// Ends the open offer for an app that was removed.
    ///
    /// - Parameter app: the app.
    public mutating func endOffer(for app: BundleIdentifier) {
        offers[app]?.close()
    }

    private func decision(
        _ reason: OfferDecision.Reason,
        for app: BundleIdentifier,
        at time: Timestamp
    ) -> OfferDecision {
        OfferDecision(
            app: app,
            isOffered: reason.isOffered,
            reason: reason,
            explanation: reason.explanation(for: app, rules.offers),
            until: offers[app]?.quietPeriodEnd(at: time, rules.offers),
            at: time
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
        let subject = "automatic sharing with \(app)"
        return switch self {
        case .firstPins: "\(subject) is offered now, for the first time, because a link for it was pinned"
        case .morePins:
            """
            \(subject) is offered now, again, because at least \(rules.pinsForLaterOffer) links for it were pinned \
            within \(rules.windowInDays) days
            """
        case .alreadyOn: "\(subject) is not offered: it is on"
        case .offEverywhere: "\(subject) is not offered: sharing is off everywhere"
        case .offForApp: "\(subject) is not offered: sharing is off for the app"
        case .refused: "\(subject) is not offered: it was refused \(rules.refusalsUntilSilence) times"
        case .samePin: "\(subject) is not offered: the link in this message was pinned before"
        case .offerOpen: "\(subject) is not offered again: the last offer is open, and has not been answered"
        case .quiet:
            "\(subject) is not offered now: the last offer or refusal was less than \(rules.quietInDays) days ago"
        case .tooFewPins:
            "\(subject) is not offered: too few links for it were pinned within \(rules.windowInDays) days"
        case .noPinLeft:
            """
            \(subject) is no longer offered: no link that led to the offer, or was pinned while it was open, is still \
            pinned and available to the app
            """
        }
    }
}
