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
