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

    /// Creates the value from its parts.
    public init(
        device: String,
        app: BundleIdentifier,
        activation: SceneActivation,
        notification: DeviceNotification? = nil,
        decision: SceneDecision? = nil
    ) {
        self.device = device
        self.app = app
        scene = activation.scene
        self.activation = activation
        self.notification = notification
        self.decision = decision
    }
}
