/// A page of an app's highlights, in order (`SWHighlightCenter.highlights`).
public struct HighlightPage: Codable, Sendable, Equatable {
    /// The state; the list is empty unless it is `ready`.
    public var state: HighlightsState

    /// The requested highlights, the most relevant first.
    public var highlights: [Highlight]

    /// The index of the first of these highlights in the whole list, from 0.
    public var offset: Int

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

    /// The title of a collection of highlights, such as a shelf, in the app's language
    /// (`SWHighlightCenter.highlightCollectionTitle`); an app always receives it.
    public var highlightCollectionTitle: String?

    /// Creates the value from its parts.
    public init(
        state: HighlightsState,
        highlights: [Highlight],
        offset: Int,
        total: Int,
        curated: Bool,
        curationGap: CurationGapReason? = nil,
        stale: Int? = nil,
        highlightCollectionTitle: String? = nil
    ) {
        self.state = state
        self.highlights = highlights
        self.offset = offset
        self.total = total
        self.curated = curated
        self.curationGap = curationGap
        self.stale = stale
        self.highlightCollectionTitle = highlightCollectionTitle
    }
}
