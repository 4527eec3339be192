internal import TextBasics

/// The secret that an agent or an app sends as its bearer token, and that gives access to its notifications.
public struct BearerSecret: StringIdentifier {
    /// The secret.
    public var rawValue: String

    /// Creates a secret from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Returns whether two secrets are equal, in a time that depends only on their lengths.
    public static func == (left: Self, right: Self) -> Bool {
        ConstantTime.isEqual(left.rawValue.utf8, right.rawValue.utf8)
    }

    /// Returns whether two secrets differ, in a time that depends only on their lengths.
    ///
    /// The one of `RawRepresentable` would compare the texts.
    public static func != (left: Self, right: Self) -> Bool {
        !(left == right)
    }

    /// A placeholder, so that logs do not contain the secret.
    public var description: String {
        "<secret>"
    }
}
