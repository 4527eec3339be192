public import WaypostSchema

/// A choice of a scene with all that led to it.
///
/// It is a value that is cheap to make; words are found when they are asked for, as a `SceneDecision` or as text.
public struct SelectionTrace: Sendable {
    /// What arrived.
    public let query: SceneQuery

    /// What the question is about: what conditions are evaluated on, where they have a say.
    public let subject: SceneSubject?

    /// The scenes that were there.
    public let candidates: [SceneCandidate]

    /// What each scene's conditions say, in the order of the choice; last, those that cannot be chosen.
    public let verdicts: [SceneVerdict]

    /// Which scene opens.
    public let choice: SceneChoice

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
        choice = Self.choice(verdicts.first, isConsulting: consulted != nil, rules)
    }

    /// Returns the choice that follows from the first scene in the order.
    private static func choice(_ first: SceneVerdict?, isConsulting: Bool, _ rules: SelectionRules) -> SceneChoice {
        let candidate = first?.exclusion == nil ? first?.candidate : nil
        guard isConsulting else { return SceneChoice(candidate: candidate, reason: rules.reasonWithoutConditions) }
        switch first?.suitability {
        case .prefers?: return SceneChoice(candidate: candidate, reason: .prefers)
        case .can?: return SceneChoice(candidate: candidate, reason: .can)
        case .unable?, nil: return SceneChoice(candidate: nil, reason: .noneCan)
        }
    }

    /// The scene that is activated; `nil` where a new one is made.
    public var winner: SceneCandidate? {
        choice.candidate.map { candidates[$0] }
    }

    /// What decided between the winner and the next scene, where the rule holds them equal.
    public var tieBreak: SceneDecision.TieBreak? {
        guard let winner = choice.candidate, verdicts.count > 1, verdicts[0].rank == verdicts[1].rank else {
            return nil
        }
        return ScenePrecedence(candidates: candidates).tieBreak(winner, verdicts[1].candidate)
    }

    /// What is odd about the question or the conditions, for a person.
    public var findings: [String] {
        query.findings + verdicts.flatMap { $0.findings(about: candidates[$0.candidate].identifier) }
    }
}

extension SceneSelection {
    /// Returns the scene that opens, with all that led to it.
    ///
    /// - Parameters:
    ///   - query: what arrived.
    ///   - candidates: scene sessions, disconnected ones among them, in any order.
    ///   - rules: what the app supports, and how *prefers* is read.
    /// - Returns: the choice and the verdict on every scene.
    /// - Complexity: O(n log n) for n candidates, each condition being evaluated once.
    public static func explain(
        for query: SceneQuery,
        among candidates: [SceneCandidate],
        _ rules: SelectionRules = SelectionRules()
    ) -> SelectionTrace {
        SelectionTrace(query, candidates, rules)
    }
}
