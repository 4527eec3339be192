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
    let verdicts: [SceneVerdict]

    /// The index of the activated scene among the candidates; `nil` if a new scene is created.
    let winnerIndex: Int?

    /// The rule that decided.
    let reason: SceneDecision.Reason

    init(_ query: SceneQuery, among candidates: [SceneCandidate], rules: SelectionRules) {
        let conditionSubject = rules.conditionSubject(for: query.subject)
        self.query = query
        subject = query.subject
        self.candidates = candidates
        let unordered = candidates.indices.map {
            SceneVerdict(of: $0, among: candidates, subject: conditionSubject, rules: rules)
        }
        let precedence = ScenePrecedence(candidates: candidates)
        let ranks = unordered.map(\.rank)
        let order = candidates.indices.sorted {
            ranks[$0] == ranks[$1] ? precedence.precedes($0, $1) : ranks[$0] > ranks[$1]
        }
        verdicts = order.map { unordered[$0] }
        (winnerIndex, reason) = Self.choice(among: verdicts, usesConditions: conditionSubject != nil, rules: rules)
    }

    /// Returns the choice of the first scene in `verdicts`, if it can be chosen, and the rule that decided.
    private static func choice(
        among verdicts: [SceneVerdict],
        usesConditions: Bool,
        rules: SelectionRules
    ) -> (candidate: Int?, reason: SceneDecision.Reason) {
        let first = verdicts.first
        let candidate = first?.exclusion == nil ? first?.candidate : nil
        guard usesConditions else { return (candidate, rules.reasonWithoutConditions) }
        switch first?.suitability {
        case .prefers?: return (candidate, .prefers)
        case .can?: return (candidate, .can)
        case .unable?, nil: return (nil, .noneCan)
        }
    }

    /// The scene that is activated; `nil` if a new one is created.
    var winner: SceneCandidate? {
        winnerIndex.map { candidates[$0] }
    }

    /// The criterion that decided between the winner and the next scene if both have the same rank.
    var tieBreak: SceneDecision.TieBreak? {
        guard let winnerIndex, verdicts.count > 1, verdicts[0].rank == verdicts[1].rank else {
            return nil
        }
        return ScenePrecedence(candidates: candidates).tieBreak(between: winnerIndex, and: verdicts[1].candidate)
    }

    /// Human-readable findings about the query and the conditions.
    var findings: [String] {
        query.findings + verdicts.flatMap { $0.findings(about: candidates[$0.candidate].identifier) }
    }
}
