import PredicateFormat
import Targeting
import Testing
import WaypostSchema

extension SceneCandidate {
    /// Returns a scene that is by default in the background, never activated and with the platform's conditions.
    static func named(
        _ identifier: SceneIdentifier,
        _ state: SceneState = .background,
        at milliseconds: Int? = nil,
        can: String = "TRUEPREDICATE",
        prefers: String = "FALSEPREDICATE"
    ) throws -> SceneCandidate {
        SceneCandidate(
            identifier: identifier,
            state: state,
            lastActivated: milliseconds.map(Timestamp.init(milliseconds:)),
            conditions: try CompiledConditions(ActivationConditions(can: can, prefers: prefers))
        )
    }
}

extension SceneDecision {
    /// Returns the trace of `scene`.
    func trace(of scene: SceneIdentifier) -> SceneTrace? {
        trace.first { $0.scene == scene }
    }
}

extension SceneSelection {
    /// Returns the decision about a notification, and expects the chosen scene to be the first of its trace.
    static func decide(
        for identifier: TargetContentIdentifier?,
        among candidates: [SceneCandidate],
        supportsMultipleScenes: Bool = true
    ) -> SceneDecision {
        decide(
            for: .notification(identifier),
            among: candidates,
            SelectionRules(supportsMultipleScenes: supportsMultipleScenes)
        )
    }

    /// Returns the decision, and expects the chosen scene to be the first of its trace.
    static func decide(
        for query: SceneQuery,
        among candidates: [SceneCandidate],
        _ rules: SelectionRules = SelectionRules()
    ) -> SceneDecision {
        let decision = select(for: query, among: candidates, rules: rules)
        #expect(decision.scene == nil || decision.scene == decision.trace.first?.scene)
        return decision
    }
}
