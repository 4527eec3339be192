/// An update to an app about a change of its highlights (`highlightCenterHighlightsDidChange`).
public struct HighlightsUpdate: Codable, Sendable, Equatable {
    /// The app.
    public var app: BundleIdentifier

    /// The number of the update for this app, from 1.
    public var number: Int

    /// The new state.
    public var state: HighlightsState

    /// The new number of highlights.
    public var total: Int

    /// Whether the first highlight is curated.
    public var curated: Bool

    /// The reason why it is not; absent if it is.
    public var curationGap: CurationGapReason?

    /// The changes from the previous list to the current one; empty if only the state changed.
    public var changes: [HighlightChange]

    /// Creates the value from its parts.
    public init(
        app: BundleIdentifier,
        number: Int,
        state: HighlightsState,
        total: Int,
        curated: Bool,
        curationGap: CurationGapReason? = nil,
        changes: [HighlightChange]
    ) {
        self.app = app
        self.number = number
        self.state = state
        self.total = total
        self.curated = curated
        self.curationGap = curationGap
        self.changes = changes
    }
}
