/// A rule that makes a link available to an app, or not, by the user's choices; `docs/consent.md` describes each.
public enum ConsentRule: String, StringChoice {
    /// Sharing is on everywhere.
    case onEverywhere

    /// Sharing is off everywhere.
    case offEverywhere

    /// The link is pinned, and the rules let a pin override every *off*.
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

    /// The link is pinned, which gives permission.
    case pinned

    /// Automatic sharing is on for the app.
    case automaticSharing

    /// The link is not pinned and automatic sharing is off for the app.
    case noPermission

    /// The user did not remove the link.
    case notRemoved

    /// The user removed the link.
    case removed

    /// The link was pinned after it was removed.
    case pinnedAfterRemoval
}

/// A recorded choice of the user.
public struct ConsentRecord: Codable, Sendable, Equatable {
    /// The kinds of choices.
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

    /// The kind of choice.
    public var kind: Kind

    /// The scope for which sharing was turned on or off; absent for other kinds.
    public var scope: SharingScope?

    /// The app for which automatic sharing was turned on or off; absent for other kinds.
    public var app: BundleIdentifier?

    /// The conversation in which the link was pinned; absent for other kinds.
    public var conversation: ConversationID?

    /// The message in which the link was pinned; absent for other kinds.
    public var message: MessageID?

    /// Whether the choice turned sharing on; absent for a pin and a removal.
    public var isOn: Bool?

    /// The time of the choice.
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

/// The verdict of the user's choices, at one gate, on a link of a conversation.
public struct ConsentVerdict: Codable, Sendable, Equatable {
    /// The rule that decided.
    public var rule: ConsentRule

    /// Whether the gate lets the link through.
    public var isAllowed: Bool

    /// The choice that decided; absent if a default decided.
    public var record: ConsentRecord?

    /// A human-readable clause that gives the reason.
    public var explanation: String

    /// Creates the value from its parts.
    public init(rule: ConsentRule, isAllowed: Bool, record: ConsentRecord? = nil, explanation: String) {
        self.rule = rule
        self.isAllowed = isAllowed
        self.record = record
        self.explanation = explanation
    }
}
