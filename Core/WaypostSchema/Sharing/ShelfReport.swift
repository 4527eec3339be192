/// An app's highlights with the reasons for their order; for the user, never for an app.
public struct ShelfReport: Codable, Sendable, Equatable {
    /// The app.
    public var app: BundleIdentifier

    /// The state of the highlights.
    public var state: HighlightsState

    /// A human-readable reason for the state.
    public var explanation: String

    /// The number of highlights in the whole list.
    public var total: Int

    /// Whether the first highlight of the whole list is curated.
    public var curated: Bool

    /// The reason why it is not; absent if it is.
    public var curationGap: CurationGapReason?

    /// The number of highlights at the end of the whole list that are not pinned, and too old for a place before Show
    /// More.
    ///
    /// Absent for none.
    public var stale: Int?

    /// The title of the shelf, in the app's language (`SWHighlightCenter.highlightCollectionTitle`).
    public var highlightCollectionTitle: String?

    /// Whether the app shows all items, because the user tapped Show More; absent for no.
    public var showsAll: Bool?

    /// The requested part of the list, in order.
    public var items: [RankedHighlight]

    /// Creates the value from its parts.
    public init(
        app: BundleIdentifier,
        state: HighlightsState,
        explanation: String,
        total: Int,
        curated: Bool,
        curationGap: CurationGapReason? = nil,
        stale: Int? = nil,
        highlightCollectionTitle: String? = nil,
        showsAll: Bool? = nil,
        items: [RankedHighlight]
    ) {
        self.app = app
        self.state = state
        self.explanation = explanation
        self.total = total
        self.curated = curated
        self.curationGap = curationGap
        self.stale = stale
        self.highlightCollectionTitle = highlightCollectionTitle
        self.showsAll = showsAll
        self.items = items
    }
}
