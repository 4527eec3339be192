/// A user's activity in an app (`NSUserActivity`).
///
/// It restores a scene, can be continued on another device, and carries a universal link to an app.
public struct UserActivity: Codable, Sendable, Equatable {
    /// The type of activity, as the app names it, or `NSUserActivityTypeBrowsingWeb`.
    public var activityType: String

    /// The activity's title, for display.
    public var title: String?

    /// The target content identifier, for the choice of a scene.
    public var targetContentIdentifier: TargetContentIdentifier?

    /// The webpage with the same content; replaces a missing identifier.
    public var webpageURL: String?

    /// The app's own data for continuing the activity.
    public var userInfo: JSONValue?

    /// Creates the value from its parts.
    public init(
        activityType: String,
        title: String? = nil,
        targetContentIdentifier: TargetContentIdentifier? = nil,
        webpageURL: String? = nil,
        userInfo: JSONValue? = nil
    ) {
        self.activityType = activityType
        self.title = title
        self.targetContentIdentifier = targetContentIdentifier
        self.webpageURL = webpageURL
        self.userInfo = userInfo
    }

    /// The type of an activity that is a universal link (`NSUserActivityTypeBrowsingWeb`).
    public static let browsingWebType = "NSUserActivityTypeBrowsingWeb"

    /// Returns the activity that an app receives for a universal link.
    public static func browsingWeb(_ url: String) -> Self {
        Self(activityType: browsingWebType, webpageURL: url)
    }
}
