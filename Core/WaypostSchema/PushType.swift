/// What kind of notification it is, the `apns-push-type`; values that this version does not know are kept.
public struct PushType: StringIdentifier {
    /// The name of the type.
    public var rawValue: String

    /// Creates the type named `rawValue`.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Something for a person to see or hear; what a notification is unless it says otherwise.
    public static let alert: Self = "alert"

    /// Something for the app alone, which is woken for it.
    public static let background: Self = "background"

    /// The types that APNs knows.
    public static let known: Set<Self> = [
        alert, background, "complication", "controls", "fileprovider", "liveactivity", "location", "mdm",
        "pushtotalk", "voip", "widgets",
    ]
}
