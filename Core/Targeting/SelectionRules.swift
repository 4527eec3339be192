public import WaypostSchema

/// What an app, or who asks, decides about the selection of its scenes.
public struct SelectionRules: Sendable, Equatable {
    /// The app whose scenes may be chosen; `nil` where all scenes that are there are of one app.
    public var app: BundleIdentifier?

    /// Whether the app supports several scenes; where not, conditions have no say and none is made beside the one there
    /// is.
    public var supportsMultipleScenes: Bool

    /// Whether *prefers* counts only where *can* holds too, which is the talk's narrower reading ("amongst the capable
    /// scenes").
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
    /// What conditions are evaluated on; `nil` where they have no say.
    func consulted(_ subject: SceneSubject?) -> SceneSubject? {
        supportsMultipleScenes ? subject : nil
    }

    /// The rule that decides where conditions have no say.
    var reasonWithoutConditions: SceneDecision.Reason {
        supportsMultipleScenes ? .noIdentifier : .singleScene
    }
}

/// Why a scene cannot be chosen whatever its conditions say.
enum Exclusion: Sendable, Equatable {
    /// It is a scene of another app.
    case app(BundleIdentifier)

    /// It is no window of the app.
    case role(SceneRole)
}

extension SelectionRules {
    /// Why `candidate` cannot be chosen whatever its conditions say; `nil` where it can.
    func exclusion(of candidate: SceneCandidate) -> Exclusion? {
        if let app, let others = candidate.app, others != app { return .app(others) }
        return candidate.role == .windowApplication ? nil : .role(candidate.role)
    }
}
