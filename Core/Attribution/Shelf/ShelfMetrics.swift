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
    var heading: LineStyle { LineStyle(scale, percent: 140, weight: .bold) }

    /// The title of a card.
    var title: LineStyle { LineStyle(scale, weight: .bold) }

    /// The subtitle of a card.
    var subtitle: LineStyle { LineStyle(scale, percent: 90) }

    /// Show More.
    var showMore: LineStyle { LineStyle(scale) }

    /// The width of a card.
    var cardWidth: Points { width - Self.margin * 2 }

    /// The room for Show More.
    var buttonTextWidth: Points { innerWidth }

    /// Whether text stands below the thumbnail: where the room beside it is less than eight lines are high.
    var isStacked: Bool {
        widthBeside < Points(scale.lineHeight * 8)
    }

    /// The thumbnail: a square as high as four lines, but no wider than a quarter of the card; or as wide as what is in the
    /// card, and half as high.
    var thumbnail: LayoutExtent {
        guard isStacked else { return LayoutExtent(width: side, height: side) }
        return LayoutExtent(width: innerWidth, height: innerWidth.half)
    }

    /// How many lines a title may have: two where there is room below the thumbnail.
    var mostTitleLines: Int { isStacked ? 2 : 1 }

    /// The room for text.
    var textWidth: Points { isStacked ? innerWidth : widthBeside }

    private var scale: TextScale { TextScale(category) }

    private var innerWidth: Points { cardWidth - Self.padding * 2 }

    private var side: Points { min(Points(scale.lineHeight * 4), Points(rawValue: cardWidth.rawValue / 4)) }

    private var widthBeside: Points { innerWidth - side - Self.padding }
}
