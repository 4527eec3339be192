internal import TextBasics

/// An application identifier: a prefix, usually the team identifier, a period and a bundle identifier.
///
/// Example: `ABCDE12345.com.example.clowntown`.
public struct ApplicationIdentifier: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
