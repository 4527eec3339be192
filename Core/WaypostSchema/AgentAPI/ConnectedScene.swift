/// A scene that is connected in a process, and its connection options (`UIScene.ConnectionOptions`).
public struct ConnectedScene: Codable, Sendable, Equatable {
    /// The session, with its state restoration activity.
    public var session: SceneSession

    /// The activations that brought the scene to the front, in order.
    public var connectionOptions: [SceneActivation]

    /// Creates the value from its parts.
    public init(session: SceneSession, connectionOptions: [SceneActivation] = []) {
        self.session = session
        self.connectionOptions = connectionOptions
    }
}
