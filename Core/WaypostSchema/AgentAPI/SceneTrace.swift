/// The reason why one scene was chosen or not.
public struct SceneTrace: Codable, Sendable, Equatable {
    /// The scene.
    public var scene: SceneIdentifier

    /// Whether it was chosen.
    public var won: Bool

    /// The scene's state before the decision.
    public var state: SceneState

    /// 2 if the scene prefers the content, 1 if it can display it, 0 otherwise; absent if conditions were ignored.
    public var suitability: Int?

    /// The result of the *can* condition.
    public var can: ConditionTrace?

    /// The result of the *prefers* condition.
    public var prefers: ConditionTrace?

    /// A human-readable reason why the scene was chosen or not.
    public var explanation: String

    /// Creates the value from its parts.
    public init(
        scene: SceneIdentifier,
        won: Bool,
        state: SceneState,
        suitability: Int? = nil,
        can: ConditionTrace? = nil,
        prefers: ConditionTrace? = nil,
        explanation: String
    ) {
        self.scene = scene
        self.won = won
        self.state = state
        self.suitability = suitability
        self.can = can
        self.prefers = prefers
        self.explanation = explanation
    }
}
