internal import PredicateFormat
internal import WaypostSchema

extension SelectionTrace {
    /// The choice as a `SceneDecision`, with human-readable explanations.
    var decision: SceneDecision {
        SceneDecision(
            targetContentIdentifier: query.targetContentIdentifier,
            subject: subject,
            outcome: winner == nil ? .create : .activate,
            scene: winner?.identifier,
            reason: reason,
            tieBreak: tieBreak,
            explanation: explanation,
            findings: findings,
            trace: verdicts.map(trace)
        )
    }

    private var explanation: String {
        guard let winner else { return explanationOfNewScene }
        let name = winner.identifier
        let clause = tieBreak.map { winner.clause(for: $0) }
        let amongSeveral = clause.map { "; among several such scenes, it \($0)" } ?? ""
        let alone = clause ?? "is the only one"
        return switch reason {
        case .prefers: "\(name) prefers the content\(amongSeveral)"
        case .can, .noneCan: "\(name) can display the content, and no scene prefers it\(amongSeveral)"
        case .noIdentifier: "without an identifier, conditions are ignored: of the scenes, \(name) \(alone)"
        case .singleScene: "the app supports only one scene, so conditions are ignored: \(name) \(alone)"
        }
    }

    private var explanationOfNewScene: String {
        guard verdicts.first?.exclusion == nil, !verdicts.isEmpty else {
            return "the app has no scene, so a new one is created"
        }
        return "no scene can display the content, so a new one is created"
    }

    private func trace(of verdict: SceneVerdict) -> SceneTrace {
        let candidate = candidates[verdict.candidate]
        return SceneTrace(
            scene: candidate.identifier,
            won: winnerIndex == verdict.candidate,
            state: candidate.state,
            suitability: verdict.suitability?.rawValue,
            can: verdict.can.map(ConditionTrace.init),
            prefers: verdict.prefers.map(ConditionTrace.init),
            explanation: explanation(of: verdict)
        )
    }

    private func explanation(of verdict: SceneVerdict) -> String {
        if let exclusion = verdict.exclusion { return "not a candidate: \(exclusion.phrase)" }
        if winnerIndex == verdict.candidate { return "won: \(summary(of: verdict))" }
        return "lost: \(summary(of: verdict))\(reasonForLosing(of: verdict))"
    }

    private func summary(of verdict: SceneVerdict) -> String {
        switch verdict.suitability {
        case .prefers?: "prefers the content"
        case .can?: "can display the content"
        case .unable? where verdict.prefers?.result == true: "prefers the content, but cannot display it"
        case .unable?: "cannot display the content"
        case nil: candidates[verdict.candidate].state.phrase
        }
    }

    private func reasonForLosing(of verdict: SceneVerdict) -> String {
        guard let winnerIndex, let first = verdicts.first, verdict.suitability != .unable else {
            return ""
        }
        let winner = candidates[winnerIndex]
        let name = winner.identifier
        guard first.suitability == verdict.suitability else { return ", but \(name) prefers it" }
        switch ScenePrecedence(candidates: candidates).tieBreak(between: winnerIndex, and: verdict.candidate) {
        case .state: return ", but \(name) is \(winner.state.phrase)"
        case .recency: return ", but \(name) was activated more recently"
        case .identifier: return ", but \(name) has the first identifier"
        }
    }
}

extension SceneCandidate {
    /// Returns a human-readable clause that explains how the scene won the tie break.
    fileprivate func clause(for tieBreak: SceneDecision.TieBreak) -> String {
        switch tieBreak {
        case .state: "is \(state.phrase)"
        case .recency: "was activated last"
        case .identifier: "has the first identifier"
        }
    }
}

extension Exclusion {
    /// A human-readable description of the scene.
    fileprivate var phrase: String {
        switch self {
        case .app(let app): "a scene of \(app)"
        case .role(let role): "not a window of the app, but \(role)"
        }
    }
}
