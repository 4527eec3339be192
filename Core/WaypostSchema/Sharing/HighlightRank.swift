/// The position of an item in its list, and the reasons for it.
public struct HighlightRank: Codable, Sendable, Equatable {
    /// The sections of a list, in order.
    public enum Section: String, StringEnum {
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
