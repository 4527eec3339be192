/// A link of Messages that a search found, for the person.
public struct FoundLink: Codable, Sendable, Equatable {
    /// The URL, as it was sent last.
    public var url: String

    /// The apps that have it among their highlights.
    public var apps: [BundleIdentifier]

    /// Whether it is pinned: pinned ones come first.
    public var isPinned: Bool

    /// When it was shared last.
    public var sharedAt: Timestamp

    /// The conversations it was shared in, the latest first.
    public var conversations: [ConversationID]

    /// Why it was found and why it stands where it does, for a person.
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
