internal import TextBasics

/// A device token, the address of a notification.
///
/// Waypost creates tokens of 64 hexadecimal digits; other lengths are valid too.
public struct DeviceToken: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
