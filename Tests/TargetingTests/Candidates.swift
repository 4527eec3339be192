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
    /// The decision about a notification, made with its trace; the choice without one has to be the same.
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

    /// The decision, made with its trace; the choice without one has to be the same.
    static func decide(
        for query: SceneQuery,
        among candidates: [SceneCandidate],
        _ rules: SelectionRules = SelectionRules()
    ) -> SceneDecision {
        let trace = explain(for: query, among: candidates, rules)
        let first = trace.verdicts.first.map(\.candidate)
        #expect(trace.choice.candidate == nil || trace.choice.candidate == first)
        #expect(select(for: query, among: candidates, rules) == trace.choice)
        return trace.decision
    }
}
