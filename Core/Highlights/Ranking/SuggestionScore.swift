internal import WaypostSchema

/// What the suggestion score of an item is the sum of.
///
/// Only events change it. The time that is left to an item is in when it was shared, not in when one asks, so that of two
/// items the better one stays the better one however long nothing happens.
struct SuggestionScore: Sendable, Equatable {
    let sharedAt: Timestamp
    let sharers: Int
    let isPinned: Bool
    let feedback: ItemFeedback

    func total(_ rules: RankingRules) -> Int {
        recency(rules) + sharerPoints(rules) + pinnedPoints(rules) + consumptionPoints(rules) + ignoredPoints(rules)
    }

    /// Returns the terms that count, and that of recency, which always does.
    func terms(_ rules: RankingRules) -> [ScoreTerm] {
        let isAll = sharers < rules.sharerPoints.count
        let people = sharers == 1 ? "one contact" : "\(sharers)\(isAll ? "" : " or more") contacts"
        let hours = rules.halfLife / 3_600_000
        let recency = ScoreTerm(
            signal: .recency,
            points: recency(rules),
            explanation:
                "\(rules.pointsPerHalfLife) points for each \(hours) hours from 1970 to when it was shared last"
        )
        let others: [ScoreTerm] = [
            ScoreTerm(signal: .sharers, points: sharerPoints(rules), explanation: "\(people) shared it"),
            ScoreTerm(signal: .pinned, points: pinnedPoints(rules), explanation: "it is pinned"),
        ]
        let ignored = ScoreTerm(
            signal: .ignored,
            points: ignoredPoints(rules),
            explanation: "it was shown \(feedback.impressions) times, \(rules.freeImpressions) of them free"
        )
        return [recency] + (others + consumptionTerms(rules) + [ignored]).filter { $0.points != 0 }
    }

    private func recency(_ rules: RankingRules) -> Int {
        sharedAt.rawValue * rules.pointsPerHalfLife / rules.halfLife
    }

    private func sharerPoints(_ rules: RankingRules) -> Int {
        guard sharers > 0, !rules.sharerPoints.isEmpty else { return 0 }
        return rules.sharerPoints[min(sharers, rules.sharerPoints.count) - 1]
    }

    private func pinnedPoints(_ rules: RankingRules) -> Int {
        isPinned ? rules.pinnedPoints : 0
    }

    private func consumptionPoints(_ rules: RankingRules) -> Int {
        guard !feedback.isConsumed(rules) else { return rules.consumedPoints }
        return (feedback.isInteracted ? rules.interactedPoints : 0) + (feedback.isStarted ? rules.startedPoints : 0)
    }

    private func consumptionTerms(_ rules: RankingRules) -> [ScoreTerm] {
        guard !feedback.isConsumed(rules) else {
            let how = feedback.isFinished ? "the person came to its end" : "it was shown in detail for long enough"
            return [ScoreTerm(signal: .consumed, points: rules.consumedPoints, explanation: how)]
        }
        let interacted = ScoreTerm(
            signal: .interacted,
            points: feedback.isInteracted ? rules.interactedPoints : 0,
            explanation: "the person tapped its attribution or replied"
        )
        let started = ScoreTerm(
            signal: .started,
            points: feedback.isStarted ? rules.startedPoints : 0,
            explanation: "the person began to consume it"
        )
        return [interacted, started]
    }

    private func ignoredPoints(_ rules: RankingRules) -> Int {
        // As many as lead to the limit are enough, and cannot overflow.
        let counted = min(max(0, feedback.impressions - rules.freeImpressions), 1_000)
        return max(rules.ignoredPointsLimit, counted * rules.ignoredPoints)
    }
}
