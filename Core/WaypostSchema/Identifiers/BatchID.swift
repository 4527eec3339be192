internal import TextBasics

/// The identifier of a batch, a UUID that the gateway creates.
public struct BatchID: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
