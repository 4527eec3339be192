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

    /// The declarations of the app's scenes, in their order; empty if the app does not say what it declares.
    public var declarations: [SceneDeclaration]

    /// Creates rules; the defaults are those of `docs/targeting.md`.
    public init(
        app: BundleIdentifier? = nil,
        supportsMultipleScenes: Bool = true,
        prefersOnlyAmongCapable: Bool = false,
        declarations: [SceneDeclaration] = []
    ) {
        self.app = app
        self.supportsMultipleScenes = supportsMultipleScenes
        self.prefersOnlyAmongCapable = prefersOnlyAmongCapable
        self.declarations = declarations
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

extension SelectionRules {
    /// Returns the reason that `candidate` cannot be chosen, whatever its conditions, or `nil` if it can.
    func exclusion(of candidate: SceneCandidate) -> SceneExclusion? {
        if let app, let otherApp = candidate.app, otherApp != app { return .app(otherApp) }
        return candidate.role == .windowApplication ? nil : .role(candidate.role)
    }
}
