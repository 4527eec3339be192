/// The result of opening a notification on a device.
public struct OpenedNotification: Codable, Sendable, Equatable {
    /// The device's name.
    public var device: String

    /// The app that was opened.
    public var app: BundleIdentifier

    /// The notification that was opened.
    public var notification: DeviceNotification

    /// The scene that was opened, whether chosen or new.
    public var scene: SceneIdentifier

    /// The choice of the scene, with its explanation.
    public var decision: SceneDecision

    /// Creates the value from its parts.
    public init(
        device: String,
        app: BundleIdentifier,
        notification: DeviceNotification,
        scene: SceneIdentifier,
        decision: SceneDecision
    ) {
        self.device = device
        self.app = app
        self.notification = notification
        self.scene = scene
        self.decision = decision
    }
}
