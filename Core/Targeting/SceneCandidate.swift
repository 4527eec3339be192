public import WaypostSchema

/// A scene session that may be chosen, with its compiled conditions.
public struct SceneCandidate: Sendable, Equatable {
    /// The session's persistent identifier.
    public var identifier: SceneIdentifier

    /// The app of the scene; `nil` if all candidates belong to one app.
    public var app: BundleIdentifier?

    /// The role of the scene; only a window of the app can be chosen.
    public var role: SceneRole

    /// The scene's title, to show to the user.
    public var title: String?

    /// The scene's state, such as foreground active or disconnected.
    public var state: SceneState

    /// The time of the scene's last activation; `nil` if it was never activated.
    public var lastActivated: Timestamp?

    /// The number of the scene's last activation among those of all scenes; `nil` if it is not known.
    ///
    /// Of two scenes, the one with the higher number was activated later, even if the times of both are equal.
    public var activationNumber: Int?

    /// The conditions for the content that the scene can display and prefers.
    public var conditions: CompiledConditions

    /// Creates a candidate from its parts; by default, it has the platform's default conditions.
    public init(
        identifier: SceneIdentifier,
        app: BundleIdentifier? = nil,
        role: SceneRole = .windowApplication,
        title: String? = nil,
        state: SceneState,
        lastActivated: Timestamp? = nil,
        activationNumber: Int? = nil,
        conditions: CompiledConditions = CompiledConditions()
    ) {
        self.identifier = identifier
        self.app = app
        self.role = role
        self.title = title
        self.state = state
        self.lastActivated = lastActivated
        self.activationNumber = activationNumber
        self.conditions = conditions
    }

    /// Creates a candidate from a session of `app`.
    ///
    /// - Throws: `ConditionError` if a condition of the session cannot be used.
    public init(_ session: SceneSession, of app: BundleIdentifier? = nil) throws(ConditionError) {
        self.init(
            identifier: session.persistentIdentifier,
            app: app,
            role: session.role,
            title: session.title,
            state: session.state,
            lastActivated: session.lastActivated,
            conditions: try CompiledConditions(session.activationConditions)
        )
    }

    /// Replaces the scene's conditions.
    ///
    /// - Throws: `ConditionError` if a condition cannot be used; the scene then keeps its current conditions
    ///   (`docs/targeting.md`, rule 10).
    public mutating func setConditions(_ conditions: ActivationConditions) throws(ConditionError) {
        self.conditions = try CompiledConditions(conditions)
    }
}
