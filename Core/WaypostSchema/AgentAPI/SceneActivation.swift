/// An activation: what brought a scene to the front, kept until a process of the app receives it.
///
/// It never contains contacts or messages; everything in it, including the notification, belongs to the app.
public struct SceneActivation: Codable, Sendable, Equatable {
    /// The number on the device; later activations have greater numbers.
    public var number: Int

    /// The scene.
    public var scene: SceneIdentifier

    /// Whether the scene was created for the activation.
    public var isNewScene: Bool

    /// The notification that the user opened.
    public var notification: NotificationResponse?

    /// The quick action that the user performed.
    public var shortcutItem: ShortcutItem?

    /// The activity to continue in the scene; for a universal link, one of the type `NSUserActivityTypeBrowsingWeb`.
    public var userActivity: UserActivity?

    /// The activity of another device whose data did not arrive.
    public var failedUserActivity: FailedUserActivity?

    /// The URL to open, which has a scheme of the app.
    public var url: String?

    /// The method that the system calls with the activation, as Apple spells it, in a `sceneActivated` event.
    ///
    /// It is absent elsewhere, and if the system calls none because the scene only came to the front.
    public var method: String?

    /// Creates the value from its parts.
    public init(
        number: Int,
        scene: SceneIdentifier,
        isNewScene: Bool = false,
        notification: NotificationResponse? = nil,
        shortcutItem: ShortcutItem? = nil,
        userActivity: UserActivity? = nil,
        failedUserActivity: FailedUserActivity? = nil,
        url: String? = nil,
        method: String? = nil
    ) {
        self.number = number
        self.scene = scene
        self.isNewScene = isNewScene
        self.notification = notification
        self.shortcutItem = shortcutItem
        self.userActivity = userActivity
        self.failedUserActivity = failedUserActivity
        self.url = url
        self.method = method
    }
}
