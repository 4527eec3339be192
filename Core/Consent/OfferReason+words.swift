internal import WaypostSchema

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
