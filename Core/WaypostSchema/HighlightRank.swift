/// The position of an item in its list, and the reasons for it.
public struct HighlightRank: Codable, Sendable, Equatable {
    /// The sections of a list, in order.
    public enum Section: String, StringChoice {
        /// The curated first item.
        case curated

        /// The pinned items, the latest pin first.
        case pinned

        /// The other items, the latest share first.
        case recent
    }

    /// The position, from 0.
    public var position: Int

    /// The section of the item.
    public var section: Section

    /// The suggestion score: the sum of the terms.
    public var score: Int

    /// The terms of the score.
    public var terms: [ScoreTerm]

    /// The reason why the item cannot be first, whatever its score; absent if it can.
    public var firstPlaceGap: FirstPlaceGap?

    /// Creates the value from its parts.
    public init(
        position: Int,
        section: Section,
        score: Int,
        terms: [ScoreTerm],
        firstPlaceGap: FirstPlaceGap? = nil
    ) {
        self.position = position
        self.section = section
        self.score = score
        self.terms = terms
        self.firstPlaceGap = firstPlaceGap
    }
}

/// The reason why an item cannot be first, whatever its score.
public enum FirstPlaceGap: String, StringChoice {
    /// The item was shared, or its message edited, too recently.
    case tooRecent

    /// The item was shared too long ago and is not pinned.
    case stale
}

/// One term of a suggestion score.
public struct ScoreTerm: Codable, Sendable, Equatable {
    /// The signals that contribute to a score.
    public enum Signal: String, StringChoice {
        /// The time of the last share.
        case recency

        /// The number of contacts who shared the item.
        case sharers

        /// Whether the item is pinned.
        case pinned

        /// Whether the user interacted with the item.
        case interacted

        /// Whether the user started to consume the item.
        case started

        /// Whether the user has consumed the item.
        case consumed

        /// The number of times that the item was shown and ignored.
        case ignored
    }

    /// The signal.
    public var signal: Signal

    /// The points added; negative if subtracted.
    public var points: Int

    /// A human-readable reason.
    public var explanation: String

    /// Creates the value from its parts.
    public init(signal: Signal, points: Int, explanation: String) {
        self.signal = signal
        self.points = points
        self.explanation = explanation
    }
}
