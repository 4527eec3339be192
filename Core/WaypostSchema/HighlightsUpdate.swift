/// One change between the previous and the next list of an app's highlights.
///
/// To update a list, remove everything with a `from`, the last position first; then insert everything with a `to`, the
/// first position first.
public struct HighlightChange: Codable, Sendable, Equatable {
    /// The kinds of changes.
    public enum Kind: String, StringChoice {
        /// The highlight was added at position `to`.
        case added

        /// The highlight was removed from position `from`.
        case removed

        /// The URL or the attribution changed, and possibly the position.
        case updated

        /// Only the position changed.
        case moved
    }

    /// The kind of change.
    public var change: Kind

    /// The new highlight, or the previous one if it was removed.
    public var highlight: Highlight

    /// The position in the previous list, from 0; absent if it was not there.
    public var from: Int?

    /// The position in the next list, from 0; absent if it is not there.
    public var to: Int?

    /// Creates the value from its parts.
    public init(change: Kind, highlight: Highlight, from: Int? = nil, to: Int? = nil) {
        self.change = change
        self.highlight = highlight
        self.from = from
        self.to = to
    }
}

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
    public var curationGap: CurationGap?

    /// The changes from the previous list to the current one; empty if only the state changed.
    public var changes: [HighlightChange]

    /// Creates the value from its parts.
    public init(
        app: BundleIdentifier,
        number: Int,
        state: HighlightsState,
        total: Int,
        curated: Bool,
        curationGap: CurationGap? = nil,
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
