/// A request to hand off the activity of an app's scene to another device (Handoff).
public struct ActivityHandoff: Codable, Sendable, Equatable {
    /// The token of the other device.
    public var to: DeviceToken

    /// The scene; the frontmost scene if absent.
    public var scene: SceneIdentifier?

    /// Creates the value from its parts.
    public init(to: DeviceToken, scene: SceneIdentifier? = nil) {
        self.to = to
        self.scene = scene
    }
}
