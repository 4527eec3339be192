/// A link with its senders, as the device knows it; never for an app.
public struct SharedLink: Codable, Sendable, Equatable {
    /// The URL, as last sent.
    public var url: String

    /// Whether the link is pinned.
    public var isPinned: Bool

    /// The conversations of the link, the one with the latest share first; never empty.
    public var conversations: [SharedConversation]

    /// Creates the value from its parts.
    public init(url: String, isPinned: Bool, conversations: [SharedConversation]) {
        self.url = url
        self.isPinned = isPinned
        self.conversations = conversations
    }
}
