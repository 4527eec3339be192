public import WaypostSchema

/// The choice of the scene that opens for a target content identifier.
///
/// The app is never asked: its scenes' packaged conditions are enough (the talk on targeting content with multiple
/// windows). The rules are numbered in `docs/targeting.md`.
public enum SceneSelection {
    /// Returns the scene of an app that opens for `identifier`, and why every scene won or lost.
    ///
    /// - Parameters:
    ///   - identifier: what the launch is about; absent or empty for nothing in particular.
    ///   - candidates: the app's scene sessions, disconnected ones among them.
    ///   - supportsMultipleScenes: whether a new scene may be made.
    /// - Returns: the decision; its trace is in the order of the choice.
    /// - Complexity: O(n log n) for n candidates, each condition being evaluated once.
    public static func select(
        for identifier: TargetContentIdentifier?,
        among candidates: [SceneCandidate],
        supportsMultipleScenes: Bool = true
    ) -> SceneDecision {
        // An empty identifier says nothing, so it counts as absent (rule 5).
        let effective = identifier.flatMap { $0.rawValue.isEmpty ? nil : $0 }
        let areConditionsConsulted = effective != nil && supportsMultipleScenes
        let ranked =
            candidates
            .map { Judgement($0, on: areConditionsConsulted ? effective : nil) }
            .sorted { $0.goesBefore($1) }
        var choice = choose(from: ranked, hasIdentifier: effective != nil, supportsMultipleScenes)
        choice.findings = findings(in: ranked, isEmpty: identifier != nil && effective == nil)
        return choice.decision(for: identifier, ranked)
    }

    private static func choose(
        from ranked: [Judgement],
        hasIdentifier: Bool,
        _ supportsMultipleScenes: Bool
    ) -> Choice {
        guard let best = ranked.first else { return Choice(winner: nil, reason: .noneCan) }
        guard supportsMultipleScenes else { return Choice(winner: best, reason: .singleScene) }
        guard hasIdentifier else { return Choice(winner: best, reason: .noIdentifier) }
        switch best.suitability {
        case .some(.prefers): return Choice(winner: best, reason: .prefers)
        case .some(.can): return Choice(winner: best, reason: .can)
        case .some(.unable), .none: return Choice(winner: nil, reason: .noneCan)
        }
    }

    private static func findings(in ranked: [Judgement], isEmpty: Bool) -> [String] {
        var findings = isEmpty ? ["the target content identifier is empty, which counts as none"] : []
        for judgement in ranked where judgement.prefersWithoutCan {
            findings.append("\(judgement.candidate.identifier) prefers the content that it says it cannot display")
        }
        return findings
    }
}

/// What was chosen, before it is put in words.
private struct Choice {
    var winner: Judgement?
    var reason: SceneDecision.Reason
    var findings: [String] = []

    func decision(for identifier: TargetContentIdentifier?, _ ranked: [Judgement]) -> SceneDecision {
        let tieBreak = tieBreak(ranked)
        return SceneDecision(
            targetContentIdentifier: identifier,
            outcome: winner == nil ? .create : .activate,
            scene: winner?.candidate.identifier,
            reason: reason,
            tieBreak: tieBreak,
            explanation: explanation(tieBreak),
            findings: findings,
            trace: ranked.map { $0.trace(besides: winner, hasWon: $0.candidate == winner?.candidate) }
        )
    }

    private func tieBreak(_ ranked: [Judgement]) -> SceneDecision.TieBreak? {
        guard let winner, ranked.count > 1, ranked[1].suitability == winner.suitability else { return nil }
        return winner.candidate.precedence(over: ranked[1].candidate).tieBreak
    }

    private func explanation(_ tieBreak: SceneDecision.TieBreak?) -> String {
        guard let winner else { return "no scene can display the content, so a new one is made" }
        let name = winner.candidate.identifier
        let clause = tieBreak.map { winner.candidate.clause(for: $0) }
        let amongSeveral = clause.map { "; of several such it \($0)" } ?? ""
        let alone = clause ?? "is the only one"
        return switch reason {
        case .prefers: "\(name) prefers the content\(amongSeveral)"
        case .can: "\(name) can display the content and no scene prefers it\(amongSeveral)"
        case .noIdentifier: "without an identifier conditions have no say: of the scenes, \(name) \(alone)"
        case .singleScene: "the app supports one scene, so conditions have no say: \(name) \(alone)"
        case .noneCan: "no scene can display the content"
        }
    }
}

extension SceneCandidate {
    /// What sets the scene apart by `tieBreak`, for a person.
    fileprivate func clause(for tieBreak: SceneDecision.TieBreak) -> String {
        switch tieBreak {
        case .state: "is \(state.words)"
        case .recency: "was activated last"
        case .identifier: "has the first identifier"
        }
    }
}
