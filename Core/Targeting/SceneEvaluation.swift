internal import PredicateFormat
internal import WaypostSchema

/// The results of a scene's conditions for a query.
struct SceneEvaluation: Sendable {
    /// The index of the scene among the candidates.
    let candidateIndex: Int

    /// The result of the *can* condition; `nil` if conditions were ignored.
    let can: PredicateEvaluation?

    /// The result of the *prefers* condition; `nil` if conditions were ignored.
    let prefers: PredicateEvaluation?

    /// The reason that the scene cannot be chosen, whatever its conditions; `nil` if it can.
    let exclusion: SceneExclusion?

    /// The scene's suitability for the content; `nil` if conditions were ignored.
    let suitability: Suitability?

    /// Whether *prefers* counted only if *can* is true.
    private let prefersOnlyAmongCapable: Bool

    init(of index: Int, among candidates: [SceneCandidate], subject: SceneSubject?, rules: SelectionRules) {
        candidateIndex = index
        prefersOnlyAmongCapable = rules.prefersOnlyAmongCapable
        exclusion = rules.exclusion(of: candidates[index])
        guard exclusion == nil, let text = subject?.text else {
            (can, prefers, suitability) = (nil, nil, nil)
            return
        }
        let can = candidates[index].conditions.can.evaluation(with: text)
        let prefers = candidates[index].conditions.prefers.evaluation(with: text)
        self.can = can
        self.prefers = prefers
        suitability = Suitability(can: can.result, prefers: prefers.result, rules: rules)
    }

    /// The scene's rank before precedence is applied; a higher rank comes first.
    var rank: Int {
        exclusion == nil ? suitability?.rawValue ?? 0 : -1
    }

    /// Returns human-readable findings about the conditions of the scene `name`.
    func findings(about name: SceneIdentifier) -> [String] {
        guard let can, let prefers else { return [] }
        var findings: [String] = []
        for (condition, evaluation) in [(ConditionError.Condition.can, can), (.prefers, prefers)] {
            guard let error = evaluation.error else { continue }
            findings.append(
                "\(name): \(condition.rawValue) counts as false, because it cannot be evaluated: \(error.message)"
            )
        }
        if prefers.result, !can.result {
            let reading =
                prefersOnlyAmongCapable
                ? "this does not count, because prefersOnlyAmongCapable is on"
                : "this counts, because prefersOnlyAmongCapable is off"
            findings.append(
                "\(name) prefers the content, but its can condition says that it cannot display it: \(reading)"
            )
        }
        return findings
    }
}

extension ConditionTrace {
    init(_ evaluation: PredicateEvaluation, written: String?) {
        self.init(
            predicate: evaluation.predicate.description,
            written: written,
            result: evaluation.result,
            deciding: evaluation.decidingPredicate,
            error: evaluation.error
        )
    }
}
