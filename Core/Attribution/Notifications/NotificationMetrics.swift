internal import WaypostSchema

/// The metrics of notifications, derived from the width of the screen and the text size.
///
/// The values are Waypost's own.
struct NotificationMetrics: Sendable {
    /// The width of the screen.
    let width: Points

    /// The maximum number of lines of a text.
    let maximumBodyLines: Int

    private let scale: TextScale

    /// The space around a card.
    static let margin = Points(8)

    /// The space between a card's edge and its content, and beside the icon.
    static let padding = Points(12)

    /// The radius of a card's corners.
    static let radius = Points(20)

    /// The layout direction of the user's language.
    let layoutDirection: LayoutDirection

    init(_ category: ContentSizeCategory, width: Int, maximumBodyLines: Int, _ layoutDirection: LayoutDirection) {
        self.layoutDirection = layoutDirection
        scale = TextScale(category)
        self.width = Points(max(width, ShelfMetrics.minimumWidth))
        self.maximumBodyLines = maximumBodyLines
    }

    /// The mirror of the picture.
    var mirror: LayoutMirror { LayoutMirror(direction: layoutDirection, width: width) }

    /// The style of a title or a subtitle.
    var titleStyle: LineStyle { LineStyle(scale, weight: .bold) }

    /// The style of a text.
    var bodyStyle: LineStyle { LineStyle(scale) }

    /// The style of the time and of the number of older notifications.
    var captionStyle: LineStyle { LineStyle(scale, percent: 85) }

    /// Returns the style of the clock: three times as large as text, or less so that it fits.
    func clockStyle(for time: String) -> LineStyle {
        let styles = [300, 250, 200, 150].map { LineStyle(scale, percent: $0, weight: .bold) }
        return styles.first { $0.width(of: time) <= cardWidth } ?? LineStyle(scale, weight: .bold)
    }

    /// The width of a card.
    var cardWidth: Points { width - Self.margin * 2 }

    /// The side of the app's icon, which is as high as two lines but at most a quarter of the card wide.
    var iconSide: Points { min(Points(scale.lineHeight * 2), Points(rawValue: cardWidth.rawValue / 4)) }

    /// Whether the text is below the icon: if the width beside it is less than the height of eight lines.
    var isStacked: Bool { widthBesideIcon < Points(scale.lineHeight * 8) }

    /// The width of the text.
    var textWidth: Points { isStacked ? cardWidth - Self.padding * 2 : widthBesideIcon }

    private var widthBesideIcon: Points { cardWidth - Self.padding * 3 - iconSide }
}
