internal import PredicateFormat
internal import WaypostSchema

/// What a scene's conditions say about what arrived.
struct SceneVerdict: Sendable {
    /// The index of the scene among the candidates.
    let candidate: Int

    /// How its *can* condition was answered; `nil` where conditions had no say.
    let can: PredicateEvaluation?

    /// How its *prefers* condition was answered; `nil` where conditions had no say.
    let prefers: PredicateEvaluation?

    /// Why the scene cannot be chosen whatever its conditions say; `nil` where it can.
    let exclusion: Exclusion?

    /// How well the scene suits what arrived; `nil` where conditions had no say.
    let suitability: Suitability?

    init(_ index: Int, _ candidates: [SceneCandidate], on subject: SceneSubject?, _ rules: SelectionRules) {
        candidate = index
        exclusion = rules.exclusion(of: candidates[index])
        guard exclusion == nil, let text = subject?.text else {
            (can, prefers, suitability) = (nil, nil, nil)
            return
        }
        let can = candidates[index].conditions.can.evaluation(of: text)
        let prefers = candidates[index].conditions.prefers.evaluation(of: text)
        self.can = can
        self.prefers = prefers
        suitability = Suitability(can: can.result, prefers: prefers.result, rules)
    }

    /// How early the scene stands in the order of the choice, before precedence: the greater, the earlier.
    var rank: Int {
        exclusion == nil ? suitability?.rawValue ?? 0 : -1
    }

    /// What is odd about the conditions of the scene `name`, for a person.
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
            findings.append("\(name) prefers the content, but its can condition says that it cannot display it")
        }
        return findings
    }
}

extension ConditionTrace {
    init(_ evaluation: PredicateEvaluation) {
        self.init(
            predicate: evaluation.predicate.description,
            result: evaluation.result,
            deciding: evaluation.deciding,
            error: evaluation.error
        )
    }
}
