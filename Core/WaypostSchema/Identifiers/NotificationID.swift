internal import TextBasics

/// A notification's identifier, the `apns-id`; Waypost creates a UUID in canonical lowercase form.
public struct NotificationID: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
