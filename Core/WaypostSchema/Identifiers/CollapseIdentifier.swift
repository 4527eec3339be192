internal import TextBasics

/// A collapse identifier, the `apns-collapse-id`: a later notification with the same one replaces the earlier.
public struct CollapseIdentifier: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
