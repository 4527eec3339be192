/// Every constant of the ranking, with its meaning.
///
/// The talk names the signals and no numbers; these are ours (`docs/ranking.md`). A thousand points are one half-life of
/// age, so that each thousand doubles how relevant an item is. Times are in milliseconds.
public struct RankingRules: Sendable, Equatable, Codable {
    /// How long it takes until an item is half as relevant: 72 hours.
    public var halfLife = 72 * 60 * 60 * 1_000

    /// The points of one half-life.
    public var pointsPerHalfLife = 1_000

    /// The points for one, two, three, four and more contacts who shared an item: a thousand times log₂ of their number.
    public var sharerPoints = [0, 1_000, 1_585, 2_000, 2_322]

    /// The points of an item that is pinned.
    public var pinnedPoints = 1_000

    /// The points of an item that the person interacted with (a tap, a reply) without consuming it.
    public var interactedPoints = 585

    /// The points of an item that the person began to consume.
    public var startedPoints = 500

    /// The points of an item that the person consumed: more than any other signal can outweigh for days.
    public var consumedPoints = -4_000

    /// How many times an item is shown before being shown counts against it.
    public var freeImpressions = 2

    /// The points of each time that it is shown after that.
    public var ignoredPoints = -250

    /// The most that being shown takes.
    public var ignoredPointsLimit = -1_500

    /// How long a summary is in a window before that is an impression: one second.
    public var impressionTime = 1_000

    /// How far apart two impressions of an item are at least: 10 minutes.
    public var impressionInterval = 10 * 60 * 1_000

    /// How long content is shown in detail, in all, before it is consumed: 30 seconds.
    public var consumptionTime = 30 * 1_000

    /// How old an item is before it can have the first place, so that none flashes by: 10 minutes.
    public var minimumAge = 10 * 60 * 1_000

    /// How old an item that is not pinned can be and have the first place: 30 days.
    public var maximumAge = 30 * 24 * 60 * 60 * 1_000

    /// Creates the standard rules.
    public init() {}
}
