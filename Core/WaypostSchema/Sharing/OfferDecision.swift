/// The decision whether automatic sharing with an app is offered, and its reason: after a pin, or as it is now.
public struct OfferDecision: Codable, Sendable, Equatable {
    /// The reasons for a decision; `docs/consent.md` describes each.
    public enum Reason: String, StringEnum {
        /// Offered: there was no offer before, and there are enough pins for the first one.
        case firstPins

        /// Offered again: there are enough pins for a later offer.
        case morePins

        /// Not offered: automatic sharing is on.
        case alreadyOn

        /// Not offered: sharing is off everywhere.
        case offEverywhere

        /// Not offered: sharing is off for the app.
        case offForApp

        /// Not offered: the user has declined the maximum number of offers.
        case refused

        /// Not offered: the same link of the same message was pinned before.
        case samePin

        /// Not offered: the last offer is still unanswered.
        case offerOpen

        /// Not offered: too little time has passed since the last offer or refusal.
        case quiet

        /// Not offered: too few links for the app were pinned recently.
        case tooFewPins

        /// No longer offered: no link that led to the offer, or was pinned while it was open, is still pinned and
        /// available to the app.
        case noPinLeft
    }

    /// The app.
    public var app: BundleIdentifier

    /// Whether the offer is made.
    public var isOffered: Bool

    /// The reason for the decision.
    public var reason: Reason

    /// A human-readable clause that explains the decision.
    public var explanation: String

    /// The end of the time in which no further offer is made; absent if there may be one.
    public var until: Timestamp?

    /// The time of the decision: that of the pin, of the open offer, of the end of an offer, or now.
    public var at: Timestamp

    /// Creates the value from its parts.
    public init(
        app: BundleIdentifier,
        isOffered: Bool,
        reason: Reason,
        explanation: String,
        until: Timestamp? = nil,
        at: Timestamp
    ) {
        self.app = app
        self.isOffered = isOffered
        self.reason = reason
        self.explanation = explanation
        self.until = until
        self.at = at
    }
}
