/// A change of a scene's state, as its app receives it.
public struct SceneChange: Codable, Sendable, Equatable {
    /// The new state of a scene.
    public enum State: String, StringEnum {
        /// The scene is on screen and receives events.
        case foregroundActive

        /// The scene is on screen and does not receive events.
        case foregroundInactive

        /// The scene is not on screen.
        case background

        /// The scene is not in memory; its session is kept.
        case disconnected

        /// The scene's session was removed.
        case discarded
    }

    /// The scene.
    public var scene: SceneIdentifier

    /// The new state.
    public var state: State

    /// The method that the system calls, as Apple spells it; absent in an event of an older agent.
    public var method: String?

    /// Creates the value from its parts.
    public init(scene: SceneIdentifier, state: State, method: String? = nil) {
        self.scene = scene
        self.state = state
        self.method = method
    }
}
