internal import WaypostSchema

/// The lengths in a shelf, from its width and the size of text.
///
/// They are ours.
struct ShelfMetrics: Sendable {
    /// The size of text that the person prefers.
    let category: ContentSizeCategory

    /// The width of the shelf.
    let width: Points

    /// The least width of a shelf: in a lesser one nothing could be read.
    static let leastWidth = 160

    /// What is left free at the edges of the shelf.
    static let margin = Points(16)

    /// What is between two cards, and between a card's edge and what is in it.
    static let padding = Points(12)

    /// The radius of a card's corners.
    static let radius = Points(14)

    /// What is between a card's lines and its attribution view.
    static let gap = Points(6)

    /// The heading.
    var heading: LineStyle { LineStyle(TextScale(category), percent: 140, weight: .bold) }

    /// The title of a card.
    var title: LineStyle { LineStyle(TextScale(category), weight: .bold) }

    /// The subtitle of a card.
    var subtitle: LineStyle { LineStyle(TextScale(category), percent: 90) }

    /// Show More.
    var showMore: LineStyle { LineStyle(TextScale(category)) }

    /// The width of a card.
    var cardWidth: Points { width - Self.margin * 2 }

    /// The side of a thumbnail: that of the lines beside it, but no more than a quarter of the card.
    var thumbnail: Points {
        min(Points(TextScale(category).lineHeight * 4), Points(rawValue: cardWidth.rawValue / 4))
    }

    /// The room for text beside a thumbnail.
    var textWidth: Points { cardWidth - thumbnail - Self.padding * 3 }
}
