internal import TextBasics

/// An APNs topic: a bundle identifier, with a suffix for some push types (`.voip`, `.complication`, ...).
public struct Topic: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The topic of Messages events, which are always stored `lossless` and may have up to 64 KiB.
    public static let messages: Self = "waypost.messages"

    /// The topic of activities that are handed off from another device.
    public static let activities: Self = "waypost.activities"
}
