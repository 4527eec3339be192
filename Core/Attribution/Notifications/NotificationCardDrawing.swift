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

    init(_ category: ContentSizeCategory, width: Int, maximumBodyLines: Int) {
        scale = TextScale(category)
        self.width = Points(max(width, ShelfMetrics.minimumWidth))
        self.maximumBodyLines = maximumBodyLines
    }

    /// The style of a title or a subtitle.
    var title: LineStyle { LineStyle(scale, weight: .bold) }

    /// The style of a text.
    var body: LineStyle { LineStyle(scale) }

    /// The style of the time and of the number of older notifications.
    var captionStyle: LineStyle { LineStyle(scale, percent: 85) }

    /// Returns the style of the clock: three times as large as text, or less so that it fits.
    func clock(_ time: String) -> LineStyle {
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

/// A renderer for the card of a notification: the app's icon, the title with the time, the subtitle and the text.
struct NotificationCardDrawing: Sendable {
    private let card: NotificationCard
    private let metrics: NotificationMetrics

    /// A line of the card.
    private struct Line {
        let text: String
        let style: LineStyle
        let isSecondary: Bool
    }

    private let lines: [Line]

    /// Whether the time is beside the title, which needs two thirds of the width.
    private let showsTimeBesideTitle: Bool

    init(_ card: NotificationCard, _ metrics: NotificationMetrics) {
        self.card = card
        self.metrics = metrics
        let room = metrics.textWidth
        let timeWidth = metrics.captionStyle.width(of: card.time)
        showsTimeBesideTitle = timeWidth * 3 <= room
        let titleRoom = showsTimeBesideTitle ? room - timeWidth - NotificationMetrics.padding : room
        let timeBelow = showsTimeBesideTitle ? nil : card.time
        func lines(
            _ text: String?,
            _ style: LineStyle,
            room: Points,
            limit: Int,
            isSecondary: Bool = false
        ) -> [Line] {
            (text.map { style.lines(of: $0, within: room, atMost: limit) } ?? [])
                .map { Line(text: $0, style: style, isSecondary: isSecondary) }
        }
        self.lines =
            lines(card.title, metrics.title, room: titleRoom, limit: 1)
            + lines(card.subtitle, metrics.title, room: room, limit: 1)
            + lines(card.body, metrics.body, room: room, limit: metrics.maximumBodyLines)
            + lines(timeBelow, metrics.captionStyle, room: room, limit: 1, isSecondary: true)
            + lines(card.more, metrics.captionStyle, room: room, limit: 1, isSecondary: true)
    }

    private var textHeight: Points {
        lines.reduce(.zero) { $0 + $1.style.lineHeight }
    }

    /// The height of the card.
    var height: Points {
        let padding = NotificationMetrics.padding
        return metrics.isStacked
            ? metrics.iconSide + textHeight + padding * 3 : max(metrics.iconSide, textHeight) + padding * 2
    }

    /// Returns the elements of the card.
    ///
    /// - Parameters:
    ///   - y: the top edge of the card.
    ///   - style: light or dark.
    ///   - definitions: the definitions that the elements refer to.
    /// - Returns: the elements, from back to front.
    func elements(at y: Points, _ style: Appearance.Style, _ definitions: inout SVGDefinitions) -> [SVGElement] {
        let (padding, palette) = (NotificationMetrics.padding, Palette[style])
        let frame = LayoutRectangle(x: NotificationMetrics.margin, y: y, width: metrics.cardWidth, height: height)
        let icon = LayoutRectangle(
            x: frame.x + padding,
            y: metrics.isStacked ? y + padding : frame.midY - metrics.iconSide.half,
            width: metrics.iconSide,
            height: metrics.iconSide
        )
        let picture = Thumbnail.placeholder(letter: card.letter, color: card.color)
        let x = metrics.isStacked ? icon.x : icon.maxX + padding
        let top = metrics.isStacked ? icon.maxY + padding : frame.midY - textHeight.half
        return [SVGElement(frame, radius: NotificationMetrics.radius, fill: palette.card)]
            + ThumbnailDrawing(thumbnail: picture, frame: icon, style: style).elements(&definitions)
            + textElements(x: x, y: top, palette)
    }

    private func textElements(x: Points, y: Points, _ palette: Palette) -> [SVGElement] {
        var elements: [SVGElement] = []
        var y = y
        if showsTimeBesideTitle {
            let width = metrics.captionStyle.width(of: card.time)
            let (right, color) = (x + metrics.textWidth - width, palette.secondaryLabel)
            elements += SVGElement.lines([card.time], metrics.captionStyle, x: right, y: y, room: width, fill: color)
        }
        for line in lines {
            let color = line.isSecondary ? palette.secondaryLabel : palette.label
            elements += SVGElement.lines([line.text], line.style, x: x, y: y, room: metrics.textWidth, fill: color)
            y += line.style.lineHeight
        }
        return elements
    }
}
