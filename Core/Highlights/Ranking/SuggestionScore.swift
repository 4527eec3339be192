internal import WaypostSchema

/// The parts of an item's suggestion score.
///
/// Only events change the score. It depends on when the item was shared, not on the current time, so the better of two
/// items stays the better one until the next event.
struct SuggestionScore: Sendable, Equatable {
    let sharedAt: Timestamp
    /// The number of contacts who shared the item.
    let sharerCount: Int
    let isPinned: Bool
    let feedback: ItemFeedback

    func total(_ rules: RankingRules) -> Int {
        recency(rules) + sharerPoints(rules) + pinnedPoints(rules) + consumptionPoints(rules) + ignoredPoints(rules)
    }

    /// Returns the recency term, and every other term that is not 0.
    func terms(_ rules: RankingRules) -> [ScoreTerm] {
        let isExactCount = sharerCount < rules.sharerPoints.count
        let people = sharerCount == 1 ? "one contact" : "\(sharerCount)\(isExactCount ? "" : " or more") contacts"
        let hours = rules.halfLife / 3_600_000
        let recency = ScoreTerm(
            signal: .recency,
            points: recency(rules),
            explanation:
                "\(rules.pointsPerHalfLife) points for every \(hours) hours between 1970 and its latest share"
        )
        let others: [ScoreTerm] = [
            ScoreTerm(signal: .sharers, points: sharerPoints(rules), explanation: "\(people) shared it"),
            ScoreTerm(signal: .pinned, points: pinnedPoints(rules), explanation: "it is pinned"),
        ]
        let ignored = ScoreTerm(
            signal: .ignored,
            points: ignoredPoints(rules),
            explanation: "it was shown \(feedback.impressions) times; the first \(rules.freeImpressions) do not count"
        )
        return [recency] + (others + consumptionTerms(rules) + [ignored]).filter { $0.points != 0 }
    }

    private func recency(_ rules: RankingRules) -> Int {
        sharedAt.rawValue * rules.pointsPerHalfLife / rules.halfLife
    }

    private func sharerPoints(_ rules: RankingRules) -> Int {
        guard sharerCount > 0, !rules.sharerPoints.isEmpty else { return 0 }
        return rules.sharerPoints[min(sharerCount, rules.sharerPoints.count) - 1]
    }

    private func pinnedPoints(_ rules: RankingRules) -> Int {
        isPinned ? rules.pinnedPoints : 0
    }

    private func consumptionPoints(_ rules: RankingRules) -> Int {
        guard !feedback.isConsumed(rules) else { return rules.consumedPoints }
        return (feedback.hasInteraction ? rules.interactedPoints : 0) + (feedback.isStarted ? rules.startedPoints : 0)
    }

    private func consumptionTerms(_ rules: RankingRules) -> [ScoreTerm] {
        guard !feedback.isConsumed(rules) else {
            let how = feedback.isFinished ? "the user finished it" : "it was shown in detail long enough"
            return [ScoreTerm(signal: .consumed, points: rules.consumedPoints, explanation: how)]
        }
        let interacted = ScoreTerm(
            signal: .interacted,
            points: feedback.hasInteraction ? rules.interactedPoints : 0,
            explanation: "the user tapped its attribution or replied"
        )
        let started = ScoreTerm(
            signal: .started,
            points: feedback.isStarted ? rules.startedPoints : 0,
            explanation: "the user started to consume it"
        )
        return [interacted, started]
    }

    private func ignoredPoints(_ rules: RankingRules) -> Int {
        // The limit on impressions prevents an overflow; this many always reach the points limit.
        let countedImpressions = min(max(0, feedback.impressions - rules.freeImpressions), 1_000)
        return max(rules.ignoredPointsLimit, countedImpressions * rules.ignoredPoints)
    }
}
