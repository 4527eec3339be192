internal import PredicateFormat
internal import WaypostSchema

extension SelectionTrace {
    /// The choice as a `SceneDecision`, with human-readable explanations.
    var decision: SceneDecision {
        SceneDecision(
            targetContentIdentifier: query.targetContentIdentifier,
            subject: subject,
            outcome: outcome,
            scene: winner?.identifier,
            declaration: declarationChoice?.declaration?.name,
            reason: reason,
            tieBreak: tieBreak,
            explanation: explanation,
            findings: findings,
            trace: evaluations.map(trace)
        )
    }

    private var outcome: SceneDecision.Outcome {
        guard winner == nil else { return .activate }
        return declarationChoice.map { $0.declaration == nil ? .nothing : .create } ?? .create
    }

    private var explanation: String {
        guard let winner else { return explanationOfNewScene }
        let name = winner.identifier
        let tieBreakClause = tieBreak.map { winner.clause(for: $0) }
        let amongSeveralClause = tieBreakClause.map { "; among several such scenes, it \($0)" } ?? ""
        let criterionClause = tieBreakClause ?? "is the only one"
        return switch reason {
        case .prefers: "\(name) prefers the content\(amongSeveralClause)"
        case .can, .noneCan: "\(name) can display the content, and no scene prefers it\(amongSeveralClause)"
        case .noIdentifier: "without an identifier, conditions are ignored: of the scenes, \(name) \(criterionClause)"
        case .singleScene: "the app supports only one scene, so conditions are ignored: \(name) \(criterionClause)"
        }
    }

    private var explanationOfNewScene: String {
        let hasScene = evaluations.first?.exclusion == nil && !evaluations.isEmpty
        let reason = hasScene ? "no scene can display the content" : "the app has no scene"
        guard let declarationChoice else { return "\(reason), so a new one is created" }
        guard declarationChoice.declaration != nil else { return "\(reason), and \(declarationChoice.explanation)" }
        return "\(reason), so a new one is created: \(declarationChoice.explanation)"
    }

    private func trace(of evaluation: SceneEvaluation) -> SceneTrace {
        let candidate = candidates[evaluation.candidateIndex]
        return SceneTrace(
            scene: candidate.identifier,
            won: winnerIndex == evaluation.candidateIndex,
            state: candidate.state,
            suitability: evaluation.suitability?.rawValue,
            can: evaluation.can.map { ConditionTrace($0, written: candidate.conditions.texts[.can]) },
            prefers: evaluation.prefers.map { ConditionTrace($0, written: candidate.conditions.texts[.prefers]) },
            explanation: explanation(of: evaluation)
        )
    }

    private func explanation(of evaluation: SceneEvaluation) -> String {
        if let exclusion = evaluation.exclusion { return "not a candidate: \(exclusion.phrase)" }
        if winnerIndex == evaluation.candidateIndex { return "won: \(summary(of: evaluation))" }
        return "lost: \(summary(of: evaluation))\(reasonForLosing(of: evaluation))"
    }

    private func summary(of evaluation: SceneEvaluation) -> String {
        switch evaluation.suitability {
        case .prefers?: "prefers the content"
        case .can?: "can display the content"
        case .unable? where evaluation.prefers?.result == true: "prefers the content, but cannot display it"
        case .unable?: "cannot display the content"
        case nil: candidates[evaluation.candidateIndex].state.phrase
        }
    }

    private func reasonForLosing(of evaluation: SceneEvaluation) -> String {
        guard let winnerIndex, let first = evaluations.first, evaluation.suitability != .unable else {
            return ""
        }
        let winner = candidates[winnerIndex]
        let name = winner.identifier
        guard first.suitability == evaluation.suitability else { return ", but \(name) prefers it" }
        switch ScenePrecedence(candidates: candidates).tieBreak(between: winnerIndex, and: evaluation.candidateIndex) {
        case .state: return ", but \(name) is \(winner.state.phrase)"
        case .recency: return ", but \(name) was activated more recently"
        case .identifier: return ", but \(name) has the first identifier"
        }
    }
}

extension SceneCandidate {
    /// Returns a human-readable tieBreakClause that explains how the scene won the tie break.
    fileprivate func clause(for tieBreak: SceneDecision.TieBreak) -> String {
        switch tieBreak {
        case .state: "is \(state.phrase)"
        case .recency: "was activated last"
        case .identifier: "has the first identifier"
        }
    }
}

extension SceneExclusion {
    /// A human-readable description of the scene.
    fileprivate var phrase: String {
        switch self {
        case .app(let app): "a scene of \(app)"
        case .role(let role): "not a window of the app, but \(role)"
        }
    }
}
