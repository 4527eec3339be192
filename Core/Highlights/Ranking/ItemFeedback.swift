internal import WaypostSchema

/// What an app's attribution views told of one item: how the person met it.
struct ItemFeedback: Sendable, Equatable, Codable {
    /// How often it was shown in a summary.
    private(set) var impressions = 0

    /// When the last of these began.
    private(set) var lastImpression: Timestamp?

    /// Whether the person tapped its attribution view or replied.
    var isInteracted = false

    /// Whether it was shown in detail.
    var isStarted = false

    /// How long it was shown in detail, in all, in milliseconds.
    var dwell = 0

    /// Whether the app said that the person came to its end.
    var isFinished = false

    func isConsumed(_ rules: RankingRules) -> Bool {
        isFinished || dwell >= rules.consumptionTime
    }

    /// Takes in that a summary was in a window for a while.
    mutating func show(from start: Timestamp, to end: Timestamp, _ rules: RankingRules) {
        guard end.rawValue - start.rawValue >= rules.impressionTime else { return }
        if let last = lastImpression, start.rawValue - last.rawValue < rules.impressionInterval { return }
        impressions += 1
        lastImpression = start
    }

    /// Takes in that the content was shown in detail for a while.
    mutating func dwell(from start: Timestamp, to end: Timestamp) {
        dwell += max(0, end.rawValue - start.rawValue)
    }
}

/// An attribution view that is in a window.
struct AttachedView: Sendable, Codable {
    let key: ContentKey
    let displayContext: DisplayContext
    let since: Timestamp
}
