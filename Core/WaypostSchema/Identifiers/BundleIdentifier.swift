internal import TextBasics

/// An app's bundle identifier, such as `com.example.clowntown`.
public struct BundleIdentifier: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
