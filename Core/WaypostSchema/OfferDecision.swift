/// Whether a pin brings the offer to turn on automatic sharing with an app, and why.
public struct OfferDecision: Codable, Sendable, Equatable {
    /// What decided; `docs/consent.md` has them one by one.
    public enum Reason: String, StringChoice {
        /// Offered: it was not before, and there are pins enough for a first offer.
        case firstPins

        /// Offered again: there are pins enough for a later offer.
        case morePins

        /// Not offered: automatic sharing is on.
        case alreadyOn

        /// Not offered: sharing is off everywhere.
        case offEverywhere

        /// Not offered: sharing is off for the app.
        case offForApp

        /// Not offered: the person refused as often as is asked.
        case refused

        /// Not offered: the same link of the same message was pinned before.
        case samePin

        /// Not offered: the last offer still waits for an answer.
        case offerOpen

        /// Not offered: the last offer or refusal was too short a time ago.
        case quiet

        /// Not offered: too few links for the app were pinned lately.
        case tooFewPins
    }

    /// The app.
    public var app: BundleIdentifier

    /// Whether the offer is made.
    public var isOffered: Bool

    /// What decided.
    public var reason: Reason

    /// The decision for a person, in a clause.
    public var explanation: String

    /// When the time ends in which no further offer is made; absent where none runs.
    public var until: Timestamp?

    /// When the link was pinned.
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
