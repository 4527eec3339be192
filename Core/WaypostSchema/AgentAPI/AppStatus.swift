/// An app of a device, as the control API lists it.
public struct AppStatus: Codable, Sendable, Equatable {
    /// The app.
    public var app: BundleIdentifier

    /// The app's name, as the user sees it.
    public var displayName: String

    /// Whether a process of the app is attached.
    public var isRunning: Bool

    /// The number of scenes of the app.
    public var scenes: Int

    /// The number of activations that wait for a process of the app.
    public var activations: Int

    /// The number on the app's icon; absent if it has no badge.
    public var badge: Int?

    /// The user's settings for the app's notifications; absent if an earlier version answered.
    public var notificationSettings: NotificationSettings?

    /// Whether the user lets the app refresh in the background; absent if an earlier version answered.
    public var backgroundRefresh: Bool?

    /// The number of calls of each push receiver since the app was installed, by its name, such as `widgets`;
    /// absent for none.
    public var reloads: [String: Int]?

    /// Creates the value from its parts.
    public init(
        app: BundleIdentifier,
        displayName: String,
        isRunning: Bool,
        scenes: Int,
        activations: Int,
        badge: Int? = nil,
        notificationSettings: NotificationSettings? = nil,
        backgroundRefresh: Bool? = nil,
        reloads: [String: Int]? = nil
    ) {
        self.app = app
        self.displayName = displayName
        self.isRunning = isRunning
        self.scenes = scenes
        self.activations = activations
        self.badge = badge
        self.notificationSettings = notificationSettings
        self.backgroundRefresh = backgroundRefresh
        self.reloads = reloads
    }
}
