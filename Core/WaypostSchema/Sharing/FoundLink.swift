/// A link in Messages that a search of the user found.
public struct FoundLink: Codable, Sendable, Equatable {
    /// The URL, as last sent.
    public var url: String

    /// The apps that have the link among their highlights.
    public var apps: [BundleIdentifier]

    /// Whether the link is pinned; pinned links come first.
    public var isPinned: Bool

    /// The time at which the link was last shared.
    public var sharedAt: Timestamp

    /// The conversations in which the link was shared, the latest first.
    public var conversations: [ConversationID]

    /// A human-readable explanation of the match and of its position.
    public var explanation: String

    /// Creates the value from its parts.
    public init(
        url: String,
        apps: [BundleIdentifier],
        isPinned: Bool,
        sharedAt: Timestamp,
        conversations: [ConversationID],
        explanation: String
    ) {
        self.url = url
        self.apps = apps
        self.isPinned = isPinned
        self.sharedAt = sharedAt
        self.conversations = conversations
        self.explanation = explanation
    }
}
