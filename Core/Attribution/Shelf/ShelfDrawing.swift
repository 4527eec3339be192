internal import TextBasics
public import WaypostSchema

/// A drawing of a shelf, as a picture or as lines of text.
///
/// The pictures of the shared content come from the app; only the device knows who shared it, and it draws the shelf.
public struct ShelfDrawing: Sendable {
    /// The content of the shelf.
    public let content: ShelfContent

    private let metrics: ShelfMetrics

    /// Creates the drawing.
    ///
    /// - Parameters:
    ///   - content: the content of the shelf.
    ///   - width: the width of the shelf, in points; at least 160.
    ///   - category: the user's preferred text size.
    ///   - layoutDirection: the layout direction of the app's language.
    public init(
        _ content: ShelfContent,
        width: Int = 390,
        preferredContentSizeCategory category: ContentSizeCategory = .large,
        layoutDirection: LayoutDirection = .leftToRight
    ) {
        self.content = content
        metrics = ShelfMetrics(
            category: category,
            width: Points(max(width, ShelfMetrics.minimumWidth)),
            layoutDirection: layoutDirection
        )
    }

    /// Returns the shelf as an SVG picture, as high as its content.
    public func svg(_ style: Appearance.Style = .light) -> String {
        var definitions = SVGDefinitions()
        var contents: [SVGElement] = []
        var y = ShelfMetrics.margin
        func add(_ height: Points, _ elements: [SVGElement]) {
            contents += elements
            y += height + ShelfMetrics.padding
        }
        add(metrics.headingStyle.lineHeight * headingLines.count, headingElements(at: y, style))
        for card in cardDrawings {
            add(card.height, card.elements(at: y, style, &definitions))
        }
        if content.showMoreTitle != nil {
            add(buttonHeight, buttonElements(at: y, style))
        }
        let size = ExactLayoutSize(width: metrics.width, height: y + ShelfMetrics.margin - ShelfMetrics.padding)
        var document = SVGDocument(size: size, label: label, language: content.language)
        let frame = LayoutRectangle(x: .zero, y: .zero, width: size.width, height: size.height)
        document.contents = [SVGElement(frame, fill: Palette[style].background)] + contents
        document.definitions = definitions
        return document.xml
    }

    /// The drawings of the cards that are shown.
    var cardDrawings: [ShelfCardDrawing] {
        content.cards.map { ShelfCardDrawing($0, metrics) }
    }

    /// A description of everything that the shelf shows.
    private var label: String {
        let cards = content.cards.map { [$0.title, $0.subtitle, $0.attribution.label].compactMap { $0 } }
        return ([[content.heading]] + cards + [[content.showMoreTitle].compactMap { $0 }])
            .filter { !$0.isEmpty }
            .map { $0.joined(separator: ", ") }
            .joined(separator: "; ")
    }

    /// The lines of the heading.
    private var headingLines: [String] {
        metrics.headingStyle.lines(of: content.heading, within: metrics.cardWidth)
    }

    private func headingElements(at y: Points, _ style: Appearance.Style) -> [SVGElement] {
        let (x, maximumWidth, fill) = (ShelfMetrics.margin, metrics.cardWidth, Palette[style].label)
        return SVGElement.lines(
            headingLines,
            metrics.headingStyle,
            x: x,
            y: y,
            maximumWidth: maximumWidth,
            fill: fill,
            mirror: metrics.mirror
        )
    }

    /// The lines of Show More, with an arrow if it opens a list elsewhere.
    private var showMoreLines: [String] {
        guard let title = content.showMoreTitle else { return [] }
        let text =
            switch (content.showMoreStyle, metrics.layoutDirection) {
            case (.listsAll, .leftToRight): "\(title) ›"
            case (.listsAll, .rightToLeft): "‹ \(title)"
            case (.expandsInPlace, _): title
            }
        return metrics.showMoreStyle.lines(of: text, within: metrics.buttonTextWidth)
    }

    private var buttonHeight: Points {
        metrics.showMoreStyle.lineHeight * showMoreLines.count + ShelfMetrics.padding * 2
    }

    /// Returns the elements of Show More, centered in a card of its own.
    private func buttonElements(at y: Points, _ style: Appearance.Style) -> [SVGElement] {
        let palette = Palette[style]
        let frame = LayoutRectangle(x: ShelfMetrics.margin, y: y, width: metrics.cardWidth, height: buttonHeight)
        let lineStyle = metrics.showMoreStyle
        let lines = showMoreLines.enumerated().flatMap { index, line in
            let top = y + ShelfMetrics.padding + lineStyle.lineHeight * index
            let width = lineStyle.width(of: line)
            return SVGElement.lines(
                [line],
                lineStyle,
                x: frame.midX - width.half,
                y: top,
                maximumWidth: width,
                fill: palette.action,
                mirror: metrics.mirror
            )
        }
        return [SVGElement(frame, radius: ShelfMetrics.radius, fill: palette.card)] + lines
    }
}

extension ShelfDrawing {
    /// The shelf as lines of text: the heading, at most three lines for each card, and Show More.
    ///
    /// Each line ends with a line break.
    public var terminalText: String {
        let cards = cardDrawings.enumerated().map { index, card in
            "\n" + Self.lines(of: card, number: index + 1)
        }
        let showMore = content.showMoreTitle.map { "\n\($0.safe(for: .terminal))\n" } ?? ""
        return "\(content.heading.safe(for: .terminal))\n\(cards.joined())\(showMore)"
    }

    private static func lines(of drawing: ShelfCardDrawing, number: Int) -> String {
        let numberPrefix = "\(number). "
        let indent = String(repeating: " ", count: numberPrefix.count)
        let titleLine = numberPrefix + drawing.card.title.safe(for: .terminal)
        let subtitle = drawing.card.subtitle.map { $0.safe(for: .terminal) }
        let detailLines = [subtitle, drawing.attribution.terminalText].compactMap { $0 }.filter { !$0.isEmpty }
        return ([titleLine] + detailLines.map { indent + $0 }).map { "\($0)\n" }.joined()
    }
}
