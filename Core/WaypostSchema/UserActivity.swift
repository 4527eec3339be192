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

/// An activity that is handed off to another device: the payload of a notification of the topic `waypost.activities`.
public struct HandedActivity: Codable, Sendable, Equatable {
    /// The app.
    public var app: BundleIdentifier

    /// The activity.
    public var activity: UserActivity

    /// The name of the source device.
    public var from: String

    /// Creates the value from its parts.
    public init(app: BundleIdentifier, activity: UserActivity, from: String) {
        self.app = app
        self.activity = activity
        self.from = from
    }
}

/// An activity of another device that the user can continue (Handoff).
public struct OfferedActivity: Codable, Sendable, Equatable {
    /// The identifier of the notification that contained it.
    public var id: NotificationID

    /// The app.
    public var app: BundleIdentifier

    /// The activity.
    public var activity: UserActivity

    /// The name of the source device.
    public var from: String

    /// The time of arrival.
    public var receivedAt: Timestamp

    /// Creates the value from its parts.
    public init(
        id: NotificationID,
        app: BundleIdentifier,
        activity: UserActivity,
        from: String,
        receivedAt: Timestamp
    ) {
        self.id = id
        self.app = app
        self.activity = activity
        self.from = from
        self.receivedAt = receivedAt
    }
}
