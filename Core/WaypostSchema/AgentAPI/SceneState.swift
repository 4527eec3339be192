/// The state of a scene (`UIScene.ActivationState`; a disconnected session has no scene).
public enum SceneState: String, StringEnum {
    /// On screen, and receives events.
    case foregroundActive

    /// On screen, and does not receive events.
    case foregroundInactive

    /// Not on screen.
    case background

    /// Not in memory; the session and its conditions are kept.
    case disconnected
}
