/// An app's request for a token of its own.
public struct TokenRequest: Codable, Sendable, Equatable {
    /// The kind of token, which the app declares.
    public var kind: TokenPurpose.Kind

    /// The channel or the control; absent for the kinds without names.
    public var name: String?

    /// Creates the value from its parts.
    public init(kind: TokenPurpose.Kind, name: String? = nil) {
        self.kind = kind
        self.name = name
    }
}
