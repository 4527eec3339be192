internal import Consent
internal import Targeting
internal import WaypostSchema

/// A scene of an app on a device.
struct InstalledScene: Sendable {
    /// The properties of the scene that scene selection needs.
    var candidate: SceneCandidate

    /// The state restoration activity of the scene.
    var restorationActivity: UserActivity?

    /// The lifetime of the scene.
    var lifetime: SceneLifetime

    /// The name of the declaration of which the scene is; `nil` if the app does not say what it declares.
    private let declaration: String?

    /// The conditions of the candidate, as written.
    private var conditions: ActivationConditions

    init(_ session: SceneSession, of app: BundleIdentifier, at eventNumber: Int) throws(ConditionError) {
        candidate = try SceneCandidate(session, of: app)
        restorationActivity = session.stateRestorationActivity
        lifetime = SceneLifetime(made: eventNumber, connected: eventNumber)
        declaration = session.declaration
        conditions = session.activationConditions
    }

    /// Creates a disconnected scene with the conditions of its declaration, by default those of the platform.
    init(_ identifier: SceneIdentifier, of declaration: SceneDeclaration?, at eventNumber: Int) {
        candidate = SceneCandidate(identifier: identifier, state: .disconnected)
        lifetime = SceneLifetime(made: eventNumber, connected: eventNumber)
        self.declaration = declaration?.name
        conditions = ActivationConditions()
        // The conditions were checked when the app was installed.
        if let declaration { try? setConditions(declaration.activationConditions) }
    }

    /// The scene as in the description of its app.
    var session: SceneSession {
        SceneSession(
            persistentIdentifier: candidate.identifier,
            title: candidate.title,
            role: candidate.role,
            state: candidate.state,
            lastActivated: candidate.lastActivated,
            activationConditions: conditions,
            stateRestorationActivity: restorationActivity,
            declaration: declaration
        )
    }

    /// Brings the scene to the front.
    mutating func bringForward(at moment: EventMoment, activationNumber: Int) {
        if candidate.state == .disconnected { lifetime.connected = moment.eventNumber }
        candidate.state = .foregroundActive
        candidate.lastActivated = moment.at
        candidate.activationNumber = activationNumber
    }

    /// Sets the state of the scene, which leaves the foreground.
    mutating func leaveForeground(for state: SceneState) {
        candidate.state = state
        // The number orders only scenes that the user sees: several of them may have been activated at the same time.
        candidate.activationNumber = nil
    }

    /// Sets the activation conditions of the scene; conditions that are refused change nothing.
    mutating func setConditions(_ conditions: ActivationConditions) throws(ConditionError) {
        try candidate.setConditions(conditions)
        self.conditions = conditions
    }
}

/// The lifetime of a scene, as the numbers of the events that created and connected it.
///
/// An identifier is not enough to recognize a scene: identifiers are reused, and scenes reconnect.
struct SceneLifetime: Sendable, Equatable, Codable {
    /// The number of the event that created the scene's session.
    let made: Int

    /// The number of the event that last connected the scene.
    var connected: Int
}
