internal import WaypostSchema

/// A renderer for a shelf's card: a thumbnail, with the title, the subtitle and the attribution view beside or below
/// it.
struct ShelfCardDrawing: Sendable {
    /// The card.
    let card: ShelfCard

    /// The attribution view, laid out in the width of the text.
    let attribution: AttributionDrawing

    private let metrics: ShelfMetrics

    /// The lines of the title.
    private let titleLines: [String]

    /// Creates the drawing of a card in a shelf.
    init(_ card: ShelfCard, _ metrics: ShelfMetrics) {
        self.card = card
        self.metrics = metrics
        titleLines = metrics.titleStyle.lines(
            of: card.title,
            within: metrics.textWidth,
            atMost: metrics.maximumTitleLines
        )
        let preferences = AttributionPreferences(preferredMaxLayoutWidth: metrics.textWidth.inPoints)
        attribution = AttributionDrawing(
            content: card.attribution,
            layout: AttributionLayout(
                card.attribution,
                preferences,
                preferredContentSizeCategory: metrics.category,
                layoutDirection: metrics.layoutDirection
            )
        )
    }

    /// The height of the card.
    var height: Points {
        let (thumbnailHeight, padding) = (metrics.thumbnailSize.height, ShelfMetrics.padding)
        return metrics.isStacked
            ? thumbnailHeight + textHeight + padding * 3 : max(thumbnailHeight, textHeight) + padding * 2
    }

    private var textHeight: Points {
        let subtitle = card.subtitle == nil ? .zero : metrics.subtitleStyle.lineHeight
        let title = metrics.titleStyle.lineHeight * titleLines.count
        return title + subtitle + ShelfMetrics.gap + attribution.layout.size.height
    }

    /// Returns the elements of the card.
    ///
    /// - Parameters:
    ///   - y: the top edge of the card in the shelf.
    ///   - style: light or dark.
    ///   - definitions: the definitions that the elements refer to.
    /// - Returns: the elements, from back to front.
    func elements(at y: Points, _ style: Appearance.Style, _ definitions: inout SVGDefinitions) -> [SVGElement] {
        let palette = Palette[style]
        let frame = LayoutRectangle(x: ShelfMetrics.margin, y: y, width: metrics.cardWidth, height: height)
        let thumbnailFrame = thumbnailFrame(in: frame)
        let x = metrics.isStacked ? thumbnailFrame.x : thumbnailFrame.maxX + ShelfMetrics.padding
        let top = metrics.isStacked ? thumbnailFrame.maxY + ShelfMetrics.padding : frame.midY - textHeight.half
        let size = attribution.layout.size
        let attributionFrame = metrics.mirror.placed(
            LayoutRectangle(x: x, y: top + textHeight - size.height, width: size.width, height: size.height)
        )
        let attributionElement = SVGElement(
            .g,
            [.transform: "translate(\(attributionFrame.x) \(attributionFrame.y))"],
            children: attribution.elements(Appearance(style: style), &definitions)
        )
        return [SVGElement(frame, radius: ShelfMetrics.radius, fill: palette.card)]
            + thumbnail(in: metrics.mirror.placed(thumbnailFrame), style, &definitions)
            + textElements(x: x, y: top, palette) + [attributionElement]
    }

    private func thumbnail(
        in frame: LayoutRectangle,
        _ style: Appearance.Style,
        _ definitions: inout SVGDefinitions
    ) -> [SVGElement] {
        ThumbnailDrawing(thumbnail: card.thumbnail, frame: frame, style: style).elements(&definitions)
    }

    private func thumbnailFrame(in frame: LayoutRectangle) -> LayoutRectangle {
        let (size, padding) = (metrics.thumbnailSize, ShelfMetrics.padding)
        return LayoutRectangle(
            x: frame.x + padding,
            y: metrics.isStacked ? frame.y + padding : frame.midY - size.height.half,
            width: size.width,
            height: size.height
        )
    }

    private func textElements(x: Points, y: Points, _ palette: Palette) -> [SVGElement] {
        let subtitleTop = y + metrics.titleStyle.lineHeight * titleLines.count
        let textWidth = metrics.textWidth
        return SVGElement.lines(
            titleLines,
            metrics.titleStyle,
            x: x,
            y: y,
            maximumWidth: textWidth,
            fill: palette.label,
            mirror: metrics.mirror
        )
            + SVGElement.lines(
                [card.subtitle].compactMap { $0 },
                metrics.subtitleStyle,
                x: x,
                y: subtitleTop,
                maximumWidth: textWidth,
                fill: palette.secondaryLabel,
                mirror: metrics.mirror
            )
    }
}
