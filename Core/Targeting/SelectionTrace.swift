internal import WaypostSchema

/// A choice of a scene with all that led to it; `decision` puts it into words.
struct SelectionTrace: Sendable {
    /// What arrived.
    let query: SceneQuery

    /// What the question is about: what conditions are evaluated on, where they have a say.
    let subject: SceneSubject?

    /// The scenes that were there.
    let candidates: [SceneCandidate]

    /// What each scene's conditions say, in the order of the choice; last, those that cannot be chosen.
    let verdicts: [SceneVerdict]

    /// The index of the scene that is activated among the candidates; `nil` where a new one is made.
    let chosen: Int?

    /// The rule that decided.
    let reason: SceneDecision.Reason

    init(_ query: SceneQuery, _ candidates: [SceneCandidate], _ rules: SelectionRules) {
        let consulted = rules.consulted(query.subject)
        self.query = query
        subject = query.subject
        self.candidates = candidates
        let unordered = candidates.indices.map { SceneVerdict($0, candidates, on: consulted, rules) }
        let precedence = ScenePrecedence(candidates: candidates)
        let ranks = unordered.map(\.rank)
        let order = candidates.indices.sorted {
            ranks[$0] == ranks[$1] ? precedence.goesBefore($0, $1) : ranks[$0] > ranks[$1]
        }
        verdicts = order.map { unordered[$0] }
        (chosen, reason) = Self.choice(verdicts.first, isConsulting: consulted != nil, rules)
    }

    /// Returns the choice that follows from the first scene in the order.
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

    /// The scene that is activated; `nil` where a new one is made.
    var winner: SceneCandidate? {
        chosen.map { candidates[$0] }
    }

    /// What decided between the winner and the next scene, where the rule holds them equal.
    var tieBreak: SceneDecision.TieBreak? {
        guard let chosen, verdicts.count > 1, verdicts[0].rank == verdicts[1].rank else {
            return nil
        }
        return ScenePrecedence(candidates: candidates).tieBreak(chosen, verdicts[1].candidate)
    }

    /// What is odd about the question or the conditions, for a person.
    var findings: [String] {
        query.findings + verdicts.flatMap { $0.findings(about: candidates[$0.candidate].identifier) }
    }
}
