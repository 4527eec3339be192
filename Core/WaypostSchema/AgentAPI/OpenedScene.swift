/// A scene that was brought to the front, and the reason for its choice.
public struct OpenedScene: Codable, Sendable, Equatable {
    /// The device's name.
    public var device: String

    /// The app.
    public var app: BundleIdentifier

    /// The scene, whether chosen or new: that of the activation.
    public var scene: SceneIdentifier

    /// The activation that the app receives.
    public var activation: SceneActivation

    /// The notification for which the scene opened, if it opened for one.
    public var notification: DeviceNotification?

    /// The choice of the scene; absent if the request named the scene.
    public var decision: SceneDecision?

    /// The cause of the activation, which decides which methods of the app are called; absent for none of them.
    public var cause: EventCause?

    /// The state of the app and of the scene before the activation; absent in an answer of an older agent.
    public var initialState: InitialState?

    /// Creates the value from its parts.
    public init(
        device: String,
        app: BundleIdentifier,
        activation: SceneActivation,
        notification: DeviceNotification? = nil,
        decision: SceneDecision? = nil,
        cause: EventCause? = nil,
        initialState: InitialState? = nil
    ) {
        self.device = device
        self.app = app
        scene = activation.scene
        self.activation = activation
        self.notification = notification
        self.decision = decision
        self.cause = cause
        self.initialState = initialState
    }
}
