internal import WaypostSchema

/// The feedback about one item from an app's attribution views.
struct ItemFeedback: Sendable, Equatable, Codable {
    /// The number of times the item was shown in a summary.
    private(set) var impressions = 0

    /// The start of the last counted impression.
    private(set) var lastImpression: Timestamp?

    /// Whether the user tapped the item's attribution view or replied.
    var hasInteraction = false

    /// Whether the item was shown in detail.
    var isStarted = false

    /// The total time for which the item was shown in detail, in milliseconds.
    var dwell = 0

    /// Whether the app reported that the user finished the item.
    var isFinished = false

    func isConsumed(_ rules: RankingRules) -> Bool {
        isFinished || dwell >= rules.consumptionTime
    }

    /// Records that a summary was in a window, and counts an impression if the rules allow it.
    mutating func recordImpression(from start: Timestamp, to end: Timestamp, _ rules: RankingRules) {
        guard end.rawValue - start.rawValue >= rules.impressionTime else { return }
        if let last = lastImpression, start.rawValue - last.rawValue < rules.impressionInterval { return }
        impressions += 1
        lastImpression = start
    }

    /// Records that the content was shown in detail.
    mutating func recordDwell(from start: Timestamp, to end: Timestamp) {
        dwell += max(0, end.rawValue - start.rawValue)
    }
}

/// An attribution view that is in a window.
struct AttachedView: Sendable, Codable {
    let key: ContentKey
    let displayContext: DisplayContext
    let since: Timestamp
}
