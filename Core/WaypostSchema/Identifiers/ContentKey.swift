internal import TextBasics

/// The content key of a link: its URL without the parts that do not affect the content.
///
/// Two links with the same key are one item. Apps never receive it; they receive a URL as it was sent.
public struct ContentKey: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
