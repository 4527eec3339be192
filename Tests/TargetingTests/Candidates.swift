import PredicateFormat
import Targeting
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
