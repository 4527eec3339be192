internal import TextBasics

/// The identifier of a highlight for an app (`SWHighlight.identifier`): opaque, and stable as long as the device has
/// the link.
public struct HighlightID: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
