/// The role of a scene (`UISceneSession.Role`); unknown values are kept.
public struct SceneRole: StringIdentifier {
    /// The name of the role.
    public var rawValue: String

    /// Creates the role named `rawValue`.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A window of the app; the default.
    public static let windowApplication: Self = "windowApplication"
}
