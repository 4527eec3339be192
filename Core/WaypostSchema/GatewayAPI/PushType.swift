/// The push type of a notification, the `apns-push-type`; unknown values are kept.
public struct PushType: StringIdentifier {
    /// The name of the type.
    public var rawValue: String

    /// Creates the type named `rawValue`.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A notification that the user sees or hears; the default.
    public static let alert: Self = "alert"

    /// A notification for the app only, which wakes the app.
    public static let background: Self = "background"
}
