/// A Home Screen quick action of an app (`UIApplicationShortcutItem`).
public struct ShortcutItem: Codable, Sendable, Equatable {
    /// The type, as the app names it; unique among the items of an app.
    public var type: String

    /// The title.
    public var localizedTitle: String

    /// The subtitle.
    public var localizedSubtitle: String?

    /// The target content identifier, for the choice of a scene.
    public var targetContentIdentifier: TargetContentIdentifier?

    /// The app's own data for the action.
    public var userInfo: JSONValue?

    /// Creates the value from its parts.
    public init(
        type: String,
        localizedTitle: String,
        localizedSubtitle: String? = nil,
        targetContentIdentifier: TargetContentIdentifier? = nil,
        userInfo: JSONValue? = nil
    ) {
        self.type = type
        self.localizedTitle = localizedTitle
        self.localizedSubtitle = localizedSubtitle
        self.targetContentIdentifier = targetContentIdentifier
        self.userInfo = userInfo
    }
}
