/// The notifications of an app with the same `thread-id`.
public struct NotificationGroup: Codable, Sendable, Equatable {
    /// The app.
    public var app: BundleIdentifier

    /// The thread; absent for the notifications of the app without one.
    public var threadIdentifier: String?

    /// The notifications, the newest first.
    public var notifications: [DeviceNotification]

    /// Creates the value from its parts.
    public init(app: BundleIdentifier, threadIdentifier: String? = nil, notifications: [DeviceNotification]) {
        self.app = app
        self.threadIdentifier = threadIdentifier
        self.notifications = notifications
    }
}
