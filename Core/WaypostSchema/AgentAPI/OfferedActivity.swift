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
