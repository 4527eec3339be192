/// A request for a scene, with or without an activity.
public struct SceneRequest: Codable, Sendable, Equatable {
    /// The activity that the scene is for; absent if it is for nothing in particular.
    public var activity: UserActivity?

    /// Creates the value from its parts.
    public init(activity: UserActivity? = nil) {
        self.activity = activity
    }
}
