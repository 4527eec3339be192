internal import TextBasics

/// A target content identifier: the subject of a notification, shortcut item or user activity, ideally a URL.
public struct TargetContentIdentifier: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
