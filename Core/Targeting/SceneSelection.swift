public import WaypostSchema

/// The choice of the scene that opens for a notification, shortcut item, user activity or URL.
///
/// The app does not run for this: its scenes' packaged conditions are enough (the talk on targeting content with
/// multiple windows). The rules are numbered in `docs/targeting.md`.
public enum SceneSelection {
    /// Returns the scene that opens, with an explanation.
    ///
    ///     let crusty = SceneSession(
    ///         persistentIdentifier: "crusty",
    ///         activationConditions: ActivationConditions(prefers: "SELF ENDSWITH '/crusty'")
    ///     )
    ///     let overview = SceneSession(persistentIdentifier: "overview")
    ///     let candidates = try [overview, crusty].map { try SceneCandidate($0) }
    ///     let decision = SceneSelection.select(for: .notification("clowns/crusty"), among: candidates)
    ///
    /// - Parameters:
    ///   - query: the identifier and URLs of the content that arrived.
    ///   - candidates: the scene sessions, including disconnected ones, in any order.
    ///   - rules: what the app supports, and how *prefers* is interpreted.
    /// - Returns: the choice, with a trace of every scene.
    /// - Complexity: O(n log n) for n candidates; each condition is evaluated once.
    public static func select(
        for query: SceneQuery,
        among candidates: [SceneCandidate],
        rules: SelectionRules = SelectionRules()
    ) -> SceneDecision {
        SelectionTrace(query, among: candidates, rules: rules).decision
    }
}
