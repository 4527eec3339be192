internal import WaypostSchema

/// The reason that a scene cannot be chosen, whatever its conditions.
enum SceneExclusion: Sendable, Equatable {
    /// The scene belongs to another app.
    case app(BundleIdentifier)

    /// The scene is not a window of the app.
    case role(SceneRole)
}
