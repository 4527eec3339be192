/// An app's highlights with the reasons of their order: what a person may ask, and no app.
public struct ShelfReport: Codable, Sendable, Equatable {
    /// The app.
    public var app: BundleIdentifier

    /// How things stand.
    public var state: HighlightsState

    /// Why they stand so, for a person.
    public var explanation: String

    /// How many highlights there are in all.
    public var total: Int

    /// Whether the first of all was curated.
    public var curated: Bool

    /// Why not, where it was not.
    public var curationGap: CurationGap?

    /// The part of the list that was asked for, in order.
    public var items: [RankedHighlight]

    /// Creates the value from its parts.
    public init(
        app: BundleIdentifier,
        state: HighlightsState,
        explanation: String,
        total: Int,
        curated: Bool,
        curationGap: CurationGap? = nil,
        items: [RankedHighlight]
    ) {
        self.app = app
        self.state = state
        self.explanation = explanation
        self.total = total
        self.curated = curated
        self.curationGap = curationGap
        self.items = items
    }
}

/// A highlight, and why it stands where it does.
public struct RankedHighlight: Codable, Sendable, Equatable {
    /// The highlight.
    public var highlight: Highlight

    /// Where it stands and why.
    public var rank: HighlightRank

    /// Whether it is pinned.
    public var isPinned: Bool

    /// When it was shared last.
    public var sharedAt: Timestamp

    /// The conversations that it is from, the latest first.
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
