public import WaypostSchema

/// The choice of the scene that opens for what arrived.
///
/// The app is never asked: its scenes' packaged conditions are enough (the talk on targeting content with multiple
/// windows). The rules are numbered in `docs/targeting.md`.
public enum SceneSelection {
    /// Returns the scene that opens, without a word on why.
    ///
    /// - Parameters:
    ///   - query: what arrived.
    ///   - candidates: scene sessions, disconnected ones among them, in any order.
    ///   - rules: what the app supports, and how *prefers* is read.
    /// - Returns: the choice; the same that `explain` makes.
    /// - Complexity: O(n) for n candidates; conditions that cannot change the choice are not evaluated.
    public static func select(
        for query: SceneQuery,
        among candidates: [SceneCandidate],
        _ rules: SelectionRules = SelectionRules()
    ) -> SceneChoice {
        guard let subject = rules.consulted(query.subject) else {
            return nearest(candidates, rules)
        }
        let precedence = ScenePrecedence(candidates: candidates)
        var best: (index: Int, suitability: Suitability)?
        for index in candidates.indices where rules.exclusion(of: candidates[index]) == nil {
            // How well the scene has to suit to be the best so far; that cannot be where one that goes before it prefers.
            let needed: Suitability? =
                if let best {
                    precedence.goesBefore(index, best.index) ? best.suitability : best.suitability.next
                } else {
                    .unable
                }
            guard let needed,
                let suitability = candidates[index].conditions.suitability(for: subject.text, atLeast: needed, rules)
            else { continue }
            best = (index, suitability)
        }
        guard let best, best.suitability != .unable else { return SceneChoice(candidate: nil, reason: .noneCan) }
        return SceneChoice(candidate: best.index, reason: best.suitability == .prefers ? .prefers : .can)
    }

    /// Chooses where conditions have no say.
    private static func nearest(_ candidates: [SceneCandidate], _ rules: SelectionRules) -> SceneChoice {
        let precedence = ScenePrecedence(candidates: candidates)
        let best = candidates.indices
            .filter { rules.exclusion(of: candidates[$0]) == nil }
            .min { precedence.goesBefore($0, $1) }
        return SceneChoice(candidate: best, reason: rules.reasonWithoutConditions)
    }
}

/// Which scene opens, without a word on why.
public struct SceneChoice: Sendable, Equatable {
    /// The index of the scene that is activated among the candidates; `nil` where a new one is made.
    public var candidate: Int?

    /// The rule that decided.
    public var reason: SceneDecision.Reason
}
