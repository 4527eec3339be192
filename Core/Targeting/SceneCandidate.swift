public import WaypostSchema

/// A scene session that may be chosen, with its conditions compiled.
public struct SceneCandidate: Sendable, Equatable {
    /// The session's persistent identifier.
    public var identifier: SceneIdentifier

    /// How far the scene is from the person's eyes.
    public var state: SceneState

    /// When the scene was last activated; `nil` for never.
    public var lastActivated: Timestamp?

    /// What the scene can display and what it prefers.
    public var conditions: CompiledConditions

    /// Creates a candidate from its parts; its conditions are the platform's defaults unless told otherwise.
    public init(
        identifier: SceneIdentifier,
        state: SceneState,
        lastActivated: Timestamp? = nil,
        conditions: CompiledConditions = CompiledConditions()
    ) {
        self.identifier = identifier
        self.state = state
        self.lastActivated = lastActivated
        self.conditions = conditions
    }

    /// Creates the candidate that a session is.
    ///
    /// - Throws: `ConditionFault` where a condition of the session cannot be used.
    public init(_ session: SceneSession) throws(ConditionFault) {
        identifier = session.persistentIdentifier
        state = session.state
        lastActivated = session.lastActivated
        conditions = try CompiledConditions(session.activationConditions)
    }
}

extension SceneCandidate {
    /// What decides that this scene goes before `other` where both are as suitable, and whether it does.
    ///
    /// Foreground active goes before foreground inactive, background and disconnected; then the most recently
    /// activated; then the persistent identifier (`docs/targeting.md`, rule 4).
    func precedence(over other: Self) -> (wins: Bool, tieBreak: SceneDecision.TieBreak) {
        if state != other.state {
            return (state.distance < other.state.distance, .state)
        }
        if lastActivated != other.lastActivated {
            return (wasActivated(after: other), .recency)
        }
        return (identifier.rawValue < other.identifier.rawValue, .identifier)
    }

    private func wasActivated(after other: Self) -> Bool {
        guard let lastActivated else { return false }
        guard let others = other.lastActivated else { return true }
        return lastActivated > others
    }
}

extension SceneState {
    /// How far from the person's eyes, 0 being nearest.
    fileprivate var distance: Int {
        switch self {
        case .foregroundActive: 0
        case .foregroundInactive: 1
        case .background: 2
        case .disconnected: 3
        }
    }

    /// The state in words.
    var words: String {
        switch self {
        case .foregroundActive: "foreground active"
        case .foregroundInactive: "foreground inactive"
        case .background: "in the background"
        case .disconnected: "disconnected"
        }
    }
}
