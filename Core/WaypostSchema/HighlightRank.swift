/// Where an item stands in its list, and why.
public struct HighlightRank: Codable, Sendable, Equatable {
    /// The parts of a list, in their order.
    public enum Section: String, StringChoice {
        /// The first place.
        case curated

        /// Pinned items, the latest pin first.
        case pinned

        /// The others, the latest share first.
        case recent
    }

    /// Its place, from 0.
    public var position: Int

    /// The part of the list that it is in.
    public var section: Section

    /// Its suggestion score: the sum of the terms.
    public var score: Int

    /// What the score is the sum of.
    public var terms: [ScoreTerm]

    /// Why it cannot have the first place, whatever its score; absent where it can.
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

/// Why an item cannot have the first place, whatever its score.
public enum FirstPlaceGap: String, StringChoice {
    /// It was shared, or its message edited, too recently.
    case tooRecent

    /// It was shared too long ago and is not pinned.
    case stale
}

/// One term of a suggestion score.
public struct ScoreTerm: Codable, Sendable, Equatable {
    /// What can count.
    public enum Signal: String, StringChoice {
        /// When it was shared last.
        case recency

        /// How many contacts shared it.
        case sharers

        /// Whether it is pinned.
        case pinned

        /// Whether the person interacted with it.
        case interacted

        /// Whether the person began to consume it.
        case started

        /// Whether the person has consumed it.
        case consumed

        /// How often it was shown and left alone.
        case ignored
    }

    /// What counted.
    public var signal: Signal

    /// How many points it gave or took.
    public var points: Int

    /// Why, for a person.
    public var explanation: String

    /// Creates the value from its parts.
    public init(signal: Signal, points: Int, explanation: String) {
        self.signal = signal
        self.points = points
        self.explanation = explanation
    }
}
