/// An activity that a connected scene will continue, before its data arrives.
public struct AnnouncedUserActivity: Codable, Sendable, Equatable {
    /// The scene.
    public var scene: SceneIdentifier

    /// The type of the activity.
    public var activityType: String

    /// The method that the system calls, as Apple spells it.
    public var method: String

    /// Creates the value from its parts.
    public init(scene: SceneIdentifier, activityType: String, method: String) {
        self.scene = scene
        self.activityType = activityType
        self.method = method
    }
}
