/// A scene that is connected in a process, and its connection options (`UIScene.ConnectionOptions`).
public struct ConnectedScene: Codable, Sendable, Equatable {
    /// The session, with its state restoration activity.
    public var session: SceneSession

    /// The activations that brought the scene to the front, in order.
    public var connectionOptions: [SceneActivation]

    /// The type of an activity of another device, which comes later in a `sceneActivated` event; absent for none.
    public var handoffUserActivityType: String?

    /// The method that the system calls, as Apple spells it; absent in an event of an older agent.
    public var method: String?

    /// Creates the value from its parts.
    public init(
        session: SceneSession,
        connectionOptions: [SceneActivation] = [],
        handoffUserActivityType: String? = nil,
        method: String? = nil
    ) {
        self.session = session
        self.connectionOptions = connectionOptions
        self.handoffUserActivityType = handoffUserActivityType
        self.method = method
    }
}
