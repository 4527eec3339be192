/// A rule by which a person's choices make a link available to an app or not; `docs/consent.md` has them one by one.
public enum ConsentRule: String, StringChoice {
    /// Sharing is on everywhere.
    case onEverywhere

    /// Sharing is off everywhere.
    case offEverywhere

    /// The link is pinned, and the rules have it that a pin goes before every *off*.
    case pinnedAlways

    /// Sharing is on for the app.
    case onForApp

    /// Sharing is off for the app.
    case offForApp

    /// The link was pinned after sharing was turned off for the app.
    case pinnedAfterOffForApp

    /// Sharing is on for the conversation.
    case onInConversation

    /// Sharing is off for the conversation.
    case offInConversation

    /// The link was pinned in the conversation after sharing was turned off for it.
    case pinnedAfterOffInConversation

    /// A pin is permission for the link.
    case pinned

    /// Automatic sharing is on for the app.
    case automaticSharing

    /// The link is not pinned and automatic sharing is off for the app.
    case noPermission

    /// The person did not remove the link.
    case notRemoved

    /// The person removed the link.
    case removed

    /// The link was pinned after it was removed.
    case pinnedAfterRemoval
}

/// A choice of a person that is on record.
public struct ConsentRecord: Codable, Sendable, Equatable {
    /// What was chosen.
    public enum Kind: String, StringChoice {
        /// Sharing was turned on or off.
        case sharing

        /// Automatic sharing with an app was turned on or off.
        case automaticSharing

        /// A link was pinned.
        case pin

        /// A link was removed.
        case removal
    }

    /// What was chosen.
    public var kind: Kind

    /// What sharing was turned on or off for; absent where the choice is of another kind.
    public var scope: SharingScope?

    /// The app that automatic sharing was turned on or off for; absent where the choice is of another kind.
    public var app: BundleIdentifier?

    /// The conversation that the link was pinned in; absent where the choice is of another kind.
    public var conversation: ConversationID?

    /// The message that the link was pinned in; absent where the choice is of another kind.
    public var message: MessageID?

    /// Whether it was turned on; absent for a pin and a removal.
    public var isOn: Bool?

    /// When the choice was made.
    public var at: Timestamp

    /// Creates the value from its parts.
    public init(
        kind: Kind,
        scope: SharingScope? = nil,
        app: BundleIdentifier? = nil,
        conversation: ConversationID? = nil,
        message: MessageID? = nil,
        isOn: Bool? = nil,
        at: Timestamp
    ) {
        self.kind = kind
        self.scope = scope
        self.app = app
        self.conversation = conversation
        self.message = message
        self.isOn = isOn
        self.at = at
    }
}

/// What a person's choices say at one gate to a link of a conversation becoming available to an app.
public struct ConsentVerdict: Codable, Sendable, Equatable {
    /// The rule that decided.
    public var rule: ConsentRule

    /// Whether the gate lets the link through.
    public var isAllowed: Bool

    /// The choice that decided; absent where it is what holds without one.
    public var record: ConsentRecord?

    /// Why, for a person, in a clause.
    public var explanation: String

    /// Creates the value from its parts.
    public init(rule: ConsentRule, isAllowed: Bool, record: ConsentRecord? = nil, explanation: String) {
        self.rule = rule
        self.isAllowed = isAllowed
        self.record = record
        self.explanation = explanation
    }
}
