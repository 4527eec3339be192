internal import TextBasics

/// The secret that an agent or an app sends as its bearer token, and that gives access to its notifications.
public struct BearerSecret: StringIdentifier {
    /// The secret.
    public var rawValue: String

    /// Creates a secret from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A placeholder, so that logs do not contain the secret.
    public var description: String {
        "<secret>"
    }
}
