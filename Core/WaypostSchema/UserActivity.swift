/// What a person does in an app (`NSUserActivity`): what a scene is restored with, what another device goes on with, and
/// what an app is handed for a link.
public struct UserActivity: Codable, Sendable, Equatable {
    /// The kind of activity, in the app's own words, or `NSUserActivityTypeBrowsingWeb`.
    public var activityType: String

    /// The activity's title, for people.
    public var title: String?

    /// What the activity is about, for the choice of a scene.
    public var targetContentIdentifier: TargetContentIdentifier?

    /// The page that shows the same, which stands in for an identifier.
    public var webpageURL: String?

    /// What the app needs to go on, in its own words.
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

    /// Returns the activity that an app is handed for a universal link.
    public static func browsingWeb(_ url: String) -> Self {
        Self(activityType: browsingWebType, webpageURL: url)
    }
}

/// A Home Screen quick action of an app (`UIApplicationShortcutItem`).
public struct ShortcutItem: Codable, Sendable, Equatable {
    /// What the app knows it by; unique among the items of an app.
    public var type: String

    /// Its title.
    public var localizedTitle: String

    /// A second line.
    public var localizedSubtitle: String?

    /// What it is about, for the choice of a scene.
    public var targetContentIdentifier: TargetContentIdentifier?

    /// What the app needs to perform it, in its own words.
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

/// An activity on its way from one device to another: the payload of a notification of the topic `waypost.activities`.
public struct HandedActivity: Codable, Sendable, Equatable {
    /// The app.
    public var app: BundleIdentifier

    /// The activity.
    public var activity: UserActivity

    /// The name of the device that it is from.
    public var from: String

    /// Creates the value from its parts.
    public init(app: BundleIdentifier, activity: UserActivity, from: String) {
        self.app = app
        self.activity = activity
        self.from = from
    }
}

/// An activity of another device that a person can go on with (Handoff).
public struct OfferedActivity: Codable, Sendable, Equatable {
    /// The notification that brought it.
    public var id: NotificationID

    /// The app.
    public var app: BundleIdentifier

    /// The activity.
    public var activity: UserActivity

    /// The name of the device that it is from.
    public var from: String

    /// When it came.
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
