/// A scene that left the foreground.
public struct SceneDeparture: Codable, Sendable, Equatable {
    /// The states of a scene that left.
    public enum State: String, StringEnum {
        /// The scene is in the background.
        case background

        /// The scene is not in memory; its session is kept.
        case disconnected

        /// The scene's session was removed.
        case closed
    }

    /// The app.
    public var app: BundleIdentifier

    /// The scene.
    public var scene: SceneIdentifier

    /// The new state.
    public var state: State

    /// Creates the value from its parts.
    public init(app: BundleIdentifier, scene: SceneIdentifier, state: State) {
        self.app = app
        self.scene = scene
        self.state = state
    }
}
