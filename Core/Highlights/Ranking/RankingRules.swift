/// The constants of the ranking.
///
/// The talk names the signals but gives no numbers; these numbers are Waypost's own (`docs/ranking.md`). One half-life
/// of age is worth a thousand points, so each thousand points double an item's relevance. Times are in milliseconds.
public struct RankingRules: Sendable, Equatable, Codable {
    /// The time after which an item is half as relevant: 72 hours.
    public var halfLife = 72 * 60 * 60 * 1_000

    /// The points that one half-life is worth.
    public var pointsPerHalfLife = 1_000

    /// The points for one, two, three, and four or more contacts who shared an item: 1000 × log₂ of their number.
    ///
    /// The first element is for one contact.
    public var sharerPoints = [0, 1_000, 1_585, 2_000, 2_322]

    /// The points of a pinned item.
    public var pinnedPoints = 1_000

    /// The points of an item that the user interacted with (a tap, a reply) but did not consume.
    public var interactedPoints = 585

    /// The points of an item that the user started to consume.
    public var startedPoints = 500

    /// The points of an item that the user consumed; for days, no other signal can outweigh them.
    public var consumedPoints = -4_000

    /// The number of impressions that do not count against an item.
    public var freeImpressions = 2

    /// The points of each further impression.
    public var ignoredPoints = -250

    /// The lowest total of points for impressions.
    public var ignoredPointsLimit = -1_500

    /// The time for which a summary must be in a window to count as an impression: one second.
    public var impressionTime = 1_000

    /// The minimum time between the starts of two impressions of an item: 10 minutes.
    public var impressionInterval = 10 * 60 * 1_000

    /// The total time for which content must be shown in detail to count as consumed: 30 seconds.
    public var consumptionTime = 30 * 1_000

    /// The minimum age of an item in the first place: 10 minutes, so that no item appears there only briefly.
    public var minimumAge = 10 * 60 * 1_000

    /// The maximum age of an item in the first place and in the upper part of a shelf, unless it is pinned: 30 days.
    public var maximumAge = 30 * 24 * 60 * 60 * 1_000

    /// Creates the standard rules.
    public init() {}
}
