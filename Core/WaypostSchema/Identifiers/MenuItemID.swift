internal import TextBasics

/// The identifier of an item in an attribution view's menu.
///
/// The view's own items are `reply` and `remove`; all others are the app's.
public struct MenuItemID: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
