public import WaypostSchema

/// A scene session that may be chosen, with its conditions compiled.
public struct SceneCandidate: Sendable, Equatable {
    /// The session's persistent identifier.
    public var identifier: SceneIdentifier

    /// The app that the scene is of; `nil` where only one app's scenes are there.
    public var app: BundleIdentifier?

    /// What the scene is for; only a window of the app can be chosen.
    public var role: SceneRole

    /// The scene's title, for people.
    public var title: String?

    /// How far the scene is from the person's eyes.
    public var state: SceneState

    /// When the scene was last activated; `nil` for never.
    public var lastActivated: Timestamp?

    /// What the scene can display and what it prefers.
    public var conditions: CompiledConditions

    /// Creates a candidate from its parts; its conditions are the platform's defaults unless told otherwise.
    public init(
        identifier: SceneIdentifier,
        app: BundleIdentifier? = nil,
        role: SceneRole = .windowApplication,
        title: String? = nil,
        state: SceneState,
        lastActivated: Timestamp? = nil,
        conditions: CompiledConditions = CompiledConditions()
    ) {
        self.identifier = identifier
        self.app = app
        self.role = role
        self.title = title
        self.state = state
        self.lastActivated = lastActivated
        self.conditions = conditions
    }

    /// Creates the candidate that a session of `app` is.
    ///
    /// - Throws: `ConditionError` where a condition of the session cannot be used.
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

    /// Sets what the scene can display and what it prefers.
    ///
    /// - Throws: `ConditionError` where a condition cannot be used; the scene then keeps the conditions that it has
    ///   (`docs/targeting.md`, rule 10).
    public mutating func setConditions(_ conditions: ActivationConditions) throws(ConditionError) {
        self.conditions = try CompiledConditions(conditions)
    }
}
