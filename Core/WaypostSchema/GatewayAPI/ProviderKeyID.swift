/// A key's identifier, the `kid` of provider tokens; Apple's have ten letters and digits.
public struct ProviderKeyID: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
