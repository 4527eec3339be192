internal import WaypostSchema

/// A choice of a scene with everything that led to it; `decision` adds the explanations.
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
    let chosen: Int?

    /// The rule that decided.
    let reason: SceneDecision.Reason

    init(_ query: SceneQuery, _ candidates: [SceneCandidate], rules: SelectionRules) {
        let consulted = rules.consulted(query.subject)
        self.query = query
        subject = query.subject
        self.candidates = candidates
        let unordered = candidates.indices.map { SceneVerdict($0, candidates, on: consulted, rules: rules) }
        let precedence = ScenePrecedence(candidates: candidates)
        let ranks = unordered.map(\.rank)
        let order = candidates.indices.sorted {
            ranks[$0] == ranks[$1] ? precedence.goesBefore($0, $1) : ranks[$0] > ranks[$1]
        }
        verdicts = order.map { unordered[$0] }
        (chosen, reason) = Self.choice(verdicts.first, isConsulting: consulted != nil, rules)
    }

    /// Returns the choice, given the first scene in the order.
    private static func choice(
        _ first: SceneVerdict?,
        isConsulting: Bool,
        _ rules: SelectionRules
    ) -> (candidate: Int?, reason: SceneDecision.Reason) {
        let candidate = first?.exclusion == nil ? first?.candidate : nil
        guard isConsulting else { return (candidate, rules.reasonWithoutConditions) }
        switch first?.suitability {
        case .prefers?: return (candidate, .prefers)
        case .can?: return (candidate, .can)
        case .unable?, nil: return (nil, .noneCan)
        }
    }

    /// The scene that is activated; `nil` if a new one is created.
    var winner: SceneCandidate? {
        chosen.map { candidates[$0] }
    }

    /// The criterion that decided between the winner and the next scene if both have the same rank.
    var tieBreak: SceneDecision.TieBreak? {
        guard let chosen, verdicts.count > 1, verdicts[0].rank == verdicts[1].rank else {
            return nil
        }
        return ScenePrecedence(candidates: candidates).tieBreak(chosen, verdicts[1].candidate)
    }

    /// Human-readable findings about the query and the conditions.
    var findings: [String] {
        query.findings + verdicts.flatMap { $0.findings(about: candidates[$0.candidate].identifier) }
    }
}
