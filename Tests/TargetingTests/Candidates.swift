import PredicateFormat
import Targeting
import Testing
import WaypostSchema

extension SceneCandidate {
    /// A scene in few words: in the background, never activated and with the platform's conditions unless told otherwise.
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
    /// What the trace says about `scene`.
    func trace(of scene: SceneIdentifier) -> SceneTrace? {
        trace.first { $0.scene == scene }
    }
}

extension SceneSelection {
    /// The decision about a notification; a scene that it names has to be the first of its trace.
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

    /// The decision; a scene that it names has to be the first of its trace.
    static func decide(
        for query: SceneQuery,
        among candidates: [SceneCandidate],
        _ rules: SelectionRules = SelectionRules()
    ) -> SceneDecision {
        let decision = select(for: query, among: candidates, rules)
        #expect(decision.scene == nil || decision.scene == decision.trace.first?.scene)
        return decision
    }
}
