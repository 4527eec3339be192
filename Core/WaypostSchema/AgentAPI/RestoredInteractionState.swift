/// The state that a scene restores after it has connected.
public struct RestoredInteractionState: Codable, Sendable, Equatable {
    /// The scene.
    public var scene: SceneIdentifier

    /// The state restoration activity of the session.
    public var stateRestorationActivity: UserActivity

    /// The method that the system calls, as Apple spells it.
    public var method: String

    /// Creates the value from its parts.
    public init(scene: SceneIdentifier, stateRestorationActivity: UserActivity, method: String) {
        self.scene = scene
        self.stateRestorationActivity = stateRestorationActivity
        self.method = method
    }
}
