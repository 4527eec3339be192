/// One change between the previous and the next list of an app's highlights.
///
/// To update a list, remove everything with a `from`, the last position first; then insert everything with a `to`, the
/// first position first.
public struct HighlightChange: Codable, Sendable, Equatable {
    /// The kinds of changes.
    public enum Kind: String, StringEnum {
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
