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

    /// The prefix that the app's Focus filter puts before identifiers; `nil` without such a filter.
    public var focusPrefix: String?

    /// The declarations of the app's scenes, in their order; empty if the app does not say what it declares.
    public var declarations: [SceneDeclaration]

    /// Creates rules; the defaults are those of `docs/targeting.md`.
    public init(
        app: BundleIdentifier? = nil,
        supportsMultipleScenes: Bool = true,
        prefersOnlyAmongCapable: Bool = false,
        focusPrefix: String? = nil,
        declarations: [SceneDeclaration] = []
    ) {
        self.app = app
        self.supportsMultipleScenes = supportsMultipleScenes
        self.prefersOnlyAmongCapable = prefersOnlyAmongCapable
        self.focusPrefix = focusPrefix
        self.declarations = declarations
    }
}

extension SelectionRules {
    /// Returns the subject of a query, with the prefix of the app's Focus filter and its scheme, `focus:`.
    func subject(of query: SceneQuery) -> SceneSubject? {
        guard var subject = query.subject, let focusPrefix else { return query.subject }
        subject.text = "focus:\(focusPrefix)\(subject.text)"
        return subject
    }

    /// Returns the subject that conditions are evaluated on, or `nil` if conditions are ignored.
    func conditionSubject(for query: SceneQuery) -> SceneSubject? {
        supportsMultipleScenes ? subject(of: query) : nil
    }

    /// Returns the finding about the prefix of the app's Focus filter; `nil` if it changes nothing.
    func focusFinding(about query: SceneQuery) -> String? {
        guard supportsMultipleScenes, query.subject != nil, let focusPrefix else { return nil }
        return "the app's Focus filter is on, and puts 'focus:\(focusPrefix)' before the identifier"
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
