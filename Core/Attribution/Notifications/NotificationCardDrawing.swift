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
        let textWidth = metrics.textWidth
        let timeWidth = metrics.captionStyle.width(of: card.time)
        showsTimeBesideTitle = timeWidth * 3 <= textWidth
        let titleWidth = showsTimeBesideTitle ? textWidth - timeWidth - NotificationMetrics.padding : textWidth
        let timeBelowText = showsTimeBesideTitle ? nil : card.time
        func lines(
            _ text: String?,
            _ style: LineStyle,
            maximumWidth: Points,
            limit: Int,
            isSecondary: Bool = false
        ) -> [Line] {
            (text.map { style.lines(of: $0, within: maximumWidth, atMost: limit) } ?? [])
                .map { Line(text: $0, style: style, isSecondary: isSecondary) }
        }
        self.lines =
            lines(card.title, metrics.titleStyle, maximumWidth: titleWidth, limit: 1)
            + lines(card.subtitle, metrics.titleStyle, maximumWidth: textWidth, limit: 1)
            + lines(card.body, metrics.bodyStyle, maximumWidth: textWidth, limit: metrics.maximumBodyLines)
            + lines(timeBelowText, metrics.captionStyle, maximumWidth: textWidth, limit: 1, isSecondary: true)
            + lines(card.more, metrics.captionStyle, maximumWidth: textWidth, limit: 1, isSecondary: true)
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
        let x = metrics.isStacked ? icon.x : icon.maxX + padding
        let top = metrics.isStacked ? icon.maxY + padding : frame.midY - textHeight.half
        return [SVGElement(frame, radius: NotificationMetrics.radius, fill: palette.card)]
            + picture(in: metrics.mirror.placed(icon), style, &definitions)
            + textElements(x: x, y: top, palette)
    }

    /// Returns the avatar of the sender, or else the app's icon.
    private func picture(
        in frame: LayoutRectangle,
        _ style: Appearance.Style,
        _ definitions: inout SVGDefinitions
    ) -> [SVGElement] {
        guard let sender = card.sender else {
            let thumbnail = Thumbnail.placeholder(letter: card.letter, color: card.color)
            return ThumbnailDrawing(thumbnail: thumbnail, frame: frame, style: style).elements(&definitions)
        }
        return AvatarDrawing(avatars: [PlacedAvatar(frame: frame, person: sender)], style: style).elements(&definitions)
    }

    private func textElements(x: Points, y: Points, _ palette: Palette) -> [SVGElement] {
        var elements: [SVGElement] = []
        var y = y
        if showsTimeBesideTitle {
            let width = metrics.captionStyle.width(of: card.time)
            let (timeX, color) = (x + metrics.textWidth - width, palette.secondaryLabel)
            elements += SVGElement.lines(
                [card.time],
                metrics.captionStyle,
                x: timeX,
                y: y,
                maximumWidth: width,
                fill: color,
                mirror: metrics.mirror
            )
        }
        for line in lines {
            let color = line.isSecondary ? palette.secondaryLabel : palette.label
            elements += SVGElement.lines(
                [line.text],
                line.style,
                x: x,
                y: y,
                maximumWidth: metrics.textWidth,
                fill: color,
                mirror: metrics.mirror
            )
            y += line.style.lineHeight
        }
        return elements
    }
}
