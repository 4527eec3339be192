/// A scene that was brought to the front, and the reason for its choice.
public struct OpenedScene: Codable, Sendable, Equatable {
    /// The device's name.
    public var device: String

    /// The app.
    public var app: BundleIdentifier

    /// The activation that the app receives.
    public var activation: SceneActivation

    /// The choice of the scene; absent if the request named the scene.
    public var decision: SceneDecision?

    /// Creates the value from its parts.
    public init(
        device: String,
        app: BundleIdentifier,
        activation: SceneActivation,
        decision: SceneDecision? = nil
    ) {
        self.device = device
        self.app = app
        self.activation = activation
        self.decision = decision
    }
}
