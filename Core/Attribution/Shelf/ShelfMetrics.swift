internal import WaypostSchema

/// The metrics of a shelf, derived from its width and the text size.
///
/// The values are Waypost's own.
struct ShelfMetrics: Sendable {
    /// The user's preferred text size.
    let category: ContentSizeCategory

    /// The width of the shelf.
    let width: Points

    /// The layout direction of the app's language.
    var layoutDirection = LayoutDirection.leftToRight

    /// The mirror of the picture.
    var mirror: LayoutMirror { LayoutMirror(direction: layoutDirection, width: width) }

    /// The minimum width of a shelf; text would be unreadable in a smaller one.
    static let minimumWidth = 160

    /// The margin at the edges of the shelf.
    static let margin = Points(16)

    /// The space between two cards, and between a card's edge and its content.
    static let padding = Points(12)

    /// The radius of a card's corners.
    static let radius = Points(14)

    /// The space between a card's lines and its attribution view.
    static let gap = Points(6)

    /// The style of the heading.
    var headingStyle: LineStyle { LineStyle(scale, percent: 140, weight: .bold) }

    /// The style of a card's title.
    var titleStyle: LineStyle { LineStyle(scale, weight: .bold) }

    /// The style of a card's subtitle.
    var subtitleStyle: LineStyle { LineStyle(scale, percent: 90) }

    /// The style of Show More.
    var showMoreStyle: LineStyle { LineStyle(scale) }

    /// The width of a card.
    var cardWidth: Points { width - Self.margin * 2 }

    /// The width of the text of Show More.
    var buttonTextWidth: Points { innerWidth }

    /// Whether the text is below the thumbnail: if the width beside it is less than the height of eight lines.
    var isStacked: Bool {
        widthBesideThumbnail < Points(scale.lineHeight * 8)
    }

    /// The size of the thumbnail.
    ///
    /// Beside the text, it is a square as high as four lines, but at most a quarter of the card wide. Above the text,
    /// it is as wide as the card's content and half as high.
    var thumbnailSize: ExactLayoutSize {
        guard isStacked else { return ExactLayoutSize(width: thumbnailSide, height: thumbnailSide) }
        return ExactLayoutSize(width: innerWidth, height: innerWidth.half)
    }

    /// The maximum number of lines of a title: two if the text is below the thumbnail.
    var maximumTitleLines: Int { isStacked ? 2 : 1 }

    /// The width of the text.
    var textWidth: Points { isStacked ? innerWidth : widthBesideThumbnail }

    private var scale: TextScale { TextScale(category) }

    private var innerWidth: Points { cardWidth - Self.padding * 2 }

    private var thumbnailSide: Points { min(Points(scale.lineHeight * 4), Points(rawValue: cardWidth.rawValue / 4)) }

    private var widthBesideThumbnail: Points { innerWidth - thumbnailSide - Self.padding }
}
