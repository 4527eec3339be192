internal import PredicateFormat
internal import WaypostSchema

/// What a scene's conditions say about one identifier.
struct Judgement {
    /// How well a scene suits the content; *prefers* counts even where *can* does not hold, as the platform's own
    /// state-restoration sample relies on (`docs/targeting.md`, rule 1).
    enum Suitability: Int {
        case unable = 0
        case can = 1
        case prefers = 2
    }

    let candidate: SceneCandidate
    private let can: ConditionTrace?
    private let prefers: ConditionTrace?

    /// Judges `candidate` on `identifier`, or not at all where conditions have no say.
    init(_ candidate: SceneCandidate, on identifier: TargetContentIdentifier?) {
        self.candidate = candidate
        can = identifier.map { ConditionTrace(candidate.conditions.can, on: $0) }
        prefers = identifier.map { ConditionTrace(candidate.conditions.prefers, on: $0) }
    }

    /// How well the scene suits the content; `nil` where conditions have no say.
    var suitability: Suitability? {
        guard let can, let prefers else { return nil }
        if prefers.result { return .prefers }
        return can.result ? .can : .unable
    }

    /// Whether the conditions contradict each other.
    var prefersWithoutCan: Bool {
        prefers?.result == true && can?.result == false
    }

    /// Whether this scene goes before `other` in the choice.
    func goesBefore(_ other: Self) -> Bool {
        let (mine, others) = (suitability?.rawValue ?? 0, other.suitability?.rawValue ?? 0)
        return mine == others ? candidate.precedence(over: other.candidate).wins : mine > others
    }

    /// Returns why the scene won or lost against `winner`, or against a new scene where there is none.
    func trace(besides winner: Judgement?, hasWon: Bool) -> SceneTrace {
        SceneTrace(
            scene: candidate.identifier,
            won: hasWon,
            state: candidate.state,
            suitability: suitability?.rawValue,
            can: can,
            prefers: prefers,
            explanation: hasWon ? "won: \(standing)" : "lost: \(standing)\(shortcoming(against: winner))"
        )
    }

    private var standing: String {
        switch suitability {
        case .prefers?: "prefers the content"
        case .can?: "can display the content"
        case .unable?: "cannot display the content"
        case nil: candidate.state.words
        }
    }

    private func shortcoming(against winner: Judgement?) -> String {
        guard let winner, suitability != .unable else { return "" }
        let name = winner.candidate.identifier
        guard winner.suitability == suitability else { return ", but \(name) prefers it" }
        switch winner.candidate.precedence(over: candidate).tieBreak {
        case .state: return ", but \(name) is \(winner.candidate.state.words)"
        case .recency: return ", but \(name) was activated more recently"
        case .identifier: return ", but \(name) has the first identifier"
        }
    }
}

extension ConditionTrace {
    fileprivate init(_ predicate: ContentPredicate, on identifier: TargetContentIdentifier) {
        self.init(predicate: predicate.description, result: predicate.evaluate(with: identifier.rawValue))
    }
}
