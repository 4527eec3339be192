public import WaypostSchema

/// The rules for selecting a scene, which depend on the app and the caller.
public struct SelectionRules: Sendable, Equatable {
    /// The app whose scenes may be chosen; `nil` if all candidates belong to one app.
    public var app: BundleIdentifier?

    /// Whether the app supports several scenes.
    ///
    /// If not, conditions are ignored, and no second scene is created.
    public var supportsMultipleScenes: Bool

    /// Whether *prefers* counts only if *can* is also true, the talk's narrower reading ("amongst the capable scenes").
    public var prefersOnlyAmongCapable: Bool

    /// Creates rules; the defaults are those of `docs/targeting.md`.
    public init(
        app: BundleIdentifier? = nil,
        supportsMultipleScenes: Bool = true,
        prefersOnlyAmongCapable: Bool = false
    ) {
        self.app = app
        self.supportsMultipleScenes = supportsMultipleScenes
        self.prefersOnlyAmongCapable = prefersOnlyAmongCapable
    }
}

extension SelectionRules {
    /// Returns the subject that conditions are evaluated on, or `nil` if conditions are ignored.
    func conditionSubject(for subject: SceneSubject?) -> SceneSubject? {
        supportsMultipleScenes ? subject : nil
    }

    /// The rule that decides if conditions are ignored.
    var reasonWithoutConditions: SceneDecision.Reason {
        supportsMultipleScenes ? .noIdentifier : .singleScene
    }
}

/// The reason that a scene cannot be chosen, whatever its conditions.
enum Exclusion: Sendable, Equatable {
    /// The scene belongs to another app.
    case app(BundleIdentifier)

    /// The scene is not a window of the app.
    case role(SceneRole)
}

extension SelectionRules {
    /// Returns the reason that `candidate` cannot be chosen, whatever its conditions, or `nil` if it can.
    func exclusion(of candidate: SceneCandidate) -> Exclusion? {
        if let app, let others = candidate.app, others != app { return .app(others) }
        return candidate.role == .windowApplication ? nil : .role(candidate.role)
    }
}
