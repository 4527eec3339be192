internal import WaypostSchema

/// Draws a card of a shelf: a thumbnail, and beside it title, subtitle and attribution view.
struct ShelfCardDrawing: Sendable {
    /// The card.
    let card: ShelfCard

    /// The lengths in the shelf.
    let metrics: ShelfMetrics

    /// The attribution view, laid out in the room beside the thumbnail.
    var attribution: AttributionDrawing {
        let preferences = AttributionPreferences(preferredMaxLayoutWidth: metrics.textWidth.inPoints)
        return AttributionDrawing(
            content: card.attribution,
            layout: AttributionLayout(card.attribution, preferences, preferredContentSizeCategory: metrics.category)
        )
    }

    /// The height of the card.
    var height: Points {
        max(metrics.thumbnail, textHeight) + ShelfMetrics.padding * 2
    }

    private var textHeight: Points {
        let subtitle = card.subtitle == nil ? .zero : metrics.subtitle.lineHeight
        return metrics.title.lineHeight + subtitle + ShelfMetrics.gap + attribution.layout.size.height
    }

    /// Returns the card.
    ///
    /// - Parameters:
    ///   - y: its upper edge in the shelf.
    ///   - style: light or dark.
    ///   - definitions: what it refers to.
    /// - Returns: what is drawn, from the back to the front.
    func elements(at y: Points, _ style: Appearance.Style, _ definitions: inout SVGDefinitions) -> [SVGElement] {
        let palette = Palette[style]
        let frame = LayoutRectangle(x: ShelfMetrics.margin, y: y, width: metrics.cardWidth, height: height)
        let side = metrics.thumbnail
        let picture = LayoutRectangle(
            x: frame.x + ShelfMetrics.padding,
            y: frame.midY - side.half,
            width: side,
            height: side
        )
        let x = picture.maxX + ShelfMetrics.padding
        var top = frame.midY - textHeight.half
        func line(_ text: String, _ style: LineStyle, _ fill: String) -> SVGElement? {
            let placed = style.placed(text, x: x, y: top, room: metrics.textWidth)
            top += style.lineHeight
            return placed.map { SVGElement($0, fill: fill, weight: style.weight) }
        }
        let lines = [
            line(card.title, metrics.title, palette.label),
            card.subtitle.flatMap { line($0, metrics.subtitle, palette.secondaryLabel) },
        ]
        let view = SVGElement(
            .g,
            [.transform: "translate(\(x) \(top + ShelfMetrics.gap))"],
            attribution.elements(Appearance(style: style), &definitions)
        )
        return [SVGElement(frame, radius: ShelfMetrics.radius, fill: palette.card)]
            + ThumbnailDrawing(thumbnail: card.thumbnail, frame: picture, style: style).elements(&definitions)
            + lines.compactMap { $0 } + [view]
    }
}
