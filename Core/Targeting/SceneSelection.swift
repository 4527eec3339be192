public import WaypostSchema

/// The choice of the scene that opens for what arrived.
///
/// The app is never asked: its scenes' packaged conditions are enough (the talk on targeting content with multiple
/// windows). The rules are numbered in `docs/targeting.md`.
public enum SceneSelection {
    /// Returns the scene that opens, with all that led to it.
    ///
    /// - Parameters:
    ///   - query: what arrived.
    ///   - candidates: scene sessions, disconnected ones among them, in any order.
    ///   - rules: what the app supports, and how *prefers* is read.
    /// - Returns: the choice and the trace of every scene.
    /// - Complexity: O(n log n) for n candidates, each condition being evaluated once.
    public static func select(
        for query: SceneQuery,
        among candidates: [SceneCandidate],
        _ rules: SelectionRules = SelectionRules()
    ) -> SceneDecision {
        SelectionTrace(query, candidates, rules).decision
    }
}
