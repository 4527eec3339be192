/// A highlight, and the reasons for its position.
public struct RankedHighlight: Codable, Sendable, Equatable {
    /// The highlight.
    public var highlight: Highlight

    /// The position, with its reasons.
    public var rank: HighlightRank

    /// Whether the highlight is pinned.
    public var isPinned: Bool

    /// The time at which the link was last shared.
    public var sharedAt: Timestamp

    /// The conversations of the link, the latest first.
    public var conversations: [ConversationID]

    /// Creates the value from its parts.
    public init(
        highlight: Highlight,
        rank: HighlightRank,
        isPinned: Bool,
        sharedAt: Timestamp,
        conversations: [ConversationID]
    ) {
        self.highlight = highlight
        self.rank = rank
        self.isPinned = isPinned
        self.sharedAt = sharedAt
        self.conversations = conversations
    }
}
