internal import WaypostSchema

/// A choice of a scene, with its query, candidates and reasons; `decision` adds the explanations.
struct SelectionTrace: Sendable {
    /// The query that is answered.
    let query: SceneQuery

    /// The text that conditions are evaluated on, unless they are ignored.
    let subject: SceneSubject?

    /// The candidate scenes.
    let candidates: [SceneCandidate]

    /// The results of each scene's conditions, best scene first; scenes that cannot be chosen are last.
    let evaluations: [SceneEvaluation]

    /// The index of the activated scene among the candidates; `nil` if a new scene is created.
    let winnerIndex: Int?

    /// The rule that decided.
    let reason: SceneDecision.Reason

    /// The finding about the prefix of the app's Focus filter; `nil` if there is none.
    let focusFinding: String?

    /// The choice of the declaration of a new scene; `nil` if a scene is activated, or no declaration is known.
    let declarationChoice: DeclarationChoice?

    init(_ query: SceneQuery, among candidates: [SceneCandidate], rules: SelectionRules) {
        let conditionSubject = rules.conditionSubject(for: query)
        self.query = query
        subject = rules.subject(of: query)
        focusFinding = rules.focusFinding(about: query)
        self.candidates = candidates
        let unorderedEvaluations = candidates.indices.map {
            SceneEvaluation(of: $0, among: candidates, subject: conditionSubject, rules: rules)
        }
        let precedence = ScenePrecedence(candidates: candidates)
        let ranks = unorderedEvaluations.map(\.rank)
        let order = candidates.indices.sorted {
            ranks[$0] == ranks[$1] ? precedence.precedes($0, $1) : ranks[$0] > ranks[$1]
        }
        evaluations = order.map { unorderedEvaluations[$0] }
        (winnerIndex, reason) = Self.choice(among: evaluations, usesConditions: conditionSubject != nil, rules: rules)
        declarationChoice = winnerIndex == nil ? DeclarationChoice(for: query, by: rules) : nil
    }

    /// Returns the choice of the first scene in `evaluations`, if it can be chosen, and the rule that decided.
    private static func choice(
        among evaluations: [SceneEvaluation],
        usesConditions: Bool,
        rules: SelectionRules
    ) -> (candidateIndex: Int?, reason: SceneDecision.Reason) {
        let first = evaluations.first
        let candidateIndex = first?.exclusion == nil ? first?.candidateIndex : nil
        guard usesConditions else { return (candidateIndex, rules.reasonWithoutConditions) }
        switch first?.suitability {
        case .prefers?: return (candidateIndex, .prefers)
        case .can?: return (candidateIndex, .can)
        case .unable?, nil: return (nil, .noneCan)
        }
    }

    /// The scene that is activated; `nil` if a new one is created.
    var winner: SceneCandidate? {
        winnerIndex.map { candidates[$0] }
    }

    /// The criterion that decided between the winner and the next scene if both have the same rank.
    var tieBreak: SceneDecision.TieBreak? {
        guard let winnerIndex, evaluations.count > 1, evaluations[0].rank == evaluations[1].rank else {
            return nil
        }
        let precedence = ScenePrecedence(candidates: candidates)
        return precedence.tieBreak(between: winnerIndex, and: evaluations[1].candidateIndex)
    }

    /// Human-readable findings about the query and the conditions.
    var findings: [String] {
        query.findings + [focusFinding].compactMap(\.self)
            + evaluations.flatMap { $0.findings(about: candidates[$0.candidateIndex].identifier) }
            + [declarationChoice?.finding].compactMap(\.self)
    }
}
