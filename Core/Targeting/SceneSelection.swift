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
            let isBefore = best.map { precedence.goesBefore(index, $0.index) } ?? true
            guard
                let suitability = suitability(
                    of: candidates[index].conditions,
                    for: subject.text,
                    rules,
                    best?.suitability,
                    isBefore
                )
            else { continue }
            best = (index, suitability)
        }
        guard let best, best.suitability != .unable else { return SceneChoice(candidate: nil, reason: .noneCan) }
        return SceneChoice(candidate: best.index, reason: best.suitability == .prefers ? .prefers : .can)
    }

    /// Returns how well a scene with `conditions` suits `text` if that makes it the best one; `nil` if it does not.
    ///
    /// `best` is how well the best scene so far suits the text, where there is one; `isBefore` says whether the scene goes
    /// before that one where both suit as well.
    private static func suitability(
        of conditions: CompiledConditions,
        for text: String,
        _ rules: SelectionRules,
        _ best: Suitability?,
        _ isBefore: Bool
    ) -> Suitability? {
        func isBest(_ suitability: Suitability) -> Bool {
            guard let best else { return true }
            return suitability == best ? isBefore : suitability.rawValue > best.rawValue
        }
        guard isBest(.prefers) else { return nil }
        let prefers = conditions.prefers.holds(for: text)
        guard prefers || isBest(.can) else { return nil }
        let suitability = Suitability(can: conditions.can.holds(for: text), prefers: prefers, rules)
        return isBest(suitability) ? suitability : nil
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
