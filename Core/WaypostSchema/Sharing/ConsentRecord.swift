/// A recorded choice of the user.
public struct ConsentRecord: Codable, Sendable, Equatable {
    /// The kinds of choices.
    public enum Kind: String, StringEnum {
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
