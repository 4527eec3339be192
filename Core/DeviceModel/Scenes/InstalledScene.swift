internal import Targeting
internal import WaypostSchema

/// A scene of an app on a device.
struct InstalledScene: Sendable {
    /// What the choice of a scene needs of it.
    var candidate: SceneCandidate

    /// What the scene is restored with.
    var restorationActivity: UserActivity?

    /// What became of the scene.
    var life: SceneLife

    /// The conditions of the candidate, as they were written.
    private var conditions: ActivationConditions

    init(_ session: SceneSession, of app: BundleIdentifier, at number: Int) throws(ConditionError) {
        candidate = try SceneCandidate(session, of: app)
        restorationActivity = session.stateRestorationActivity
        life = SceneLife(made: number, connected: number)
        conditions = session.activationConditions
    }

    /// Creates a scene with the platform's default conditions that is not in memory yet.
    init(_ identifier: SceneIdentifier, at number: Int) {
        candidate = SceneCandidate(identifier: identifier, state: .disconnected)
        life = SceneLife(made: number, connected: number)
        conditions = ActivationConditions()
    }

    /// The scene as the description of an app has it.
    var session: SceneSession {
        SceneSession(
            persistentIdentifier: candidate.identifier,
            title: candidate.title,
            role: candidate.role,
            state: candidate.state,
            lastActivated: candidate.lastActivated,
            activationConditions: conditions,
            stateRestorationActivity: restorationActivity
        )
    }

    /// Sets what the scene can display and what it prefers; conditions that are refused change nothing.
    mutating func setConditions(_ conditions: ActivationConditions) throws(ConditionError) {
        try candidate.setConditions(conditions)
        self.conditions = conditions
    }
}

/// What became of a scene, by the numbers of events: names are given again, and a scene comes back into memory.
struct SceneLife: Sendable, Equatable, Codable {
    /// When its session was made.
    let made: Int

    /// When it came into memory last.
    var connected: Int
}
