/// One step from an app's previous list of highlights to the next.
///
/// A list follows its changes thus: everything with a `from` is taken out, the last first; then everything with a `to` is
/// put in, the first first.
public struct HighlightChange: Codable, Sendable, Equatable {
    /// What happened to a highlight.
    public enum Kind: String, StringChoice {
        /// It is new in the list; `to` is its place.
        case added

        /// It left the list; `from` was its place.
        case removed

        /// Its URL or what its attribution shows changed, its place perhaps too.
        case updated

        /// It has another place, and nothing else changed.
        case moved
    }

    /// What happened.
    public var change: Kind

    /// The highlight, as it is now; as it was, where it left.
    public var highlight: Highlight

    /// Its place in the previous list, from 0; absent where it was not there.
    public var from: Int?

    /// Its place in the next list, from 0; absent where it is not there.
    public var to: Int?

    /// Creates the value from its parts.
    public init(change: Kind, highlight: Highlight, from: Int? = nil, to: Int? = nil) {
        self.change = change
        self.highlight = highlight
        self.from = from
        self.to = to
    }
}

/// What an app is told when its highlights change (`highlightCenterHighlightsDidChange`).
public struct HighlightsUpdate: Codable, Sendable, Equatable {
    /// The app.
    public var app: BundleIdentifier

    /// The number of the update for this app, from 1.
    public var number: Int

    /// How things stand now.
    public var state: HighlightsState

    /// How many highlights there are now.
    public var total: Int

    /// Whether the first one is curated.
    public var curated: Bool

    /// Why not, where it was not.
    public var curationGap: CurationGap?

    /// The steps from the previous list to the one there is now; none where only the state changed.
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
