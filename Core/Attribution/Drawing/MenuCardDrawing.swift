internal import TextBasics
public import WaypostSchema

/// A drawing of a menu or a question, as a picture or as lines of text.
public struct MenuCardDrawing: Sendable {
    /// The content of the card.
    public let card: MenuCard

    /// The language of the text.
    public let language: AttributionLanguage

    private let metrics: MenuCardMetrics

    /// Creates the drawing.
    ///
    /// - Parameters:
    ///   - card: the content of the card.
    ///   - language: the language of the text.
    ///   - category: the user's preferred text size.
    ///   - layoutDirection: the layout direction of the app's language.
    public init(
        _ card: MenuCard,
        in language: AttributionLanguage,
        preferredContentSizeCategory category: ContentSizeCategory = .large,
        layoutDirection: LayoutDirection = .leftToRight
    ) {
        self.card = card
        self.language = language
        metrics = MenuCardMetrics(category, layoutDirection)
    }

    /// Returns the card as an SVG picture, as high as its content.
    public func svg(_ style: Appearance.Style = .light) -> String {
        let blocks = blocks(Palette[style])
        var definitions = SVGDefinitions()
        var parts: [SVGElement] = []
        var y = Points.zero
        for block in blocks {
            parts += block.elements(at: y, metrics, in: style, &definitions)
            y += block.height
        }
        var document = SVGDocument(
            size: ExactLayoutSize(width: metrics.width, height: y),
            label: label,
            language: language
        )
        let frame = LayoutRectangle(x: .zero, y: .zero, width: metrics.width, height: y)
        let shape = SVGElement(frame, radius: MenuCardMetrics.radius, fill: Palette[style].card)
        let clip = definitions.addClip(shape)
        document.definitions = definitions
        document.contents = [SVGElement(.g, [.clipPath: clip], children: [shape] + parts)]
        return document.xml
    }

    /// The card as lines of text: the title, the message and the numbered rows.
    ///
    /// There is a blank line between the heading and each section. Each line ends with a line break.
    public var terminalText: String {
        var number = 0
        let sections = card.sections.map { rows in
            rows.map { row in
                number += 1
                return "\(number). \(row.title.safe(for: .terminal))\n"
            }
        }
        let heading = [card.title, card.message].compactMap { $0 }.map { "\($0.safe(for: .terminal))\n" }
        return ([heading] + sections).filter { !$0.isEmpty }.map { $0.joined() }.joined(separator: "\n")
    }

    /// A description of everything that the card shows.
    private var label: String {
        ([card.title, card.message].compactMap { $0 } + card.sections.joined().map(\.title)).joined(separator: "; ")
    }

    private func blocks(_ palette: Palette) -> [MenuCardBlock] {
        let heading = headingBlocks(palette)
        let sections = card.sections.map { rows in
            let avatarCounts = rows.map { metrics.avatarCount(for: $0.people.count) }
            let indent = metrics.indent(ofAvatars: avatarCounts.max() ?? 0)
            let blocks = zip(rows, avatarCounts).map { row, avatarCount in
                MenuCardBlock(
                    lines(of: row.title, metrics.rowStyle(for: row.kind), indent: indent, atMost: 2),
                    palette[row.kind],
                    people: Array(row.people.prefix(avatarCount)),
                    indent: indent,
                    minimumHeight: avatarCount == 0 ? .zero : metrics.avatars.avatarDiameter
                )
            }
            return Array(blocks.map { [$0] }.joined(separator: [.separator(palette)]))
        }
        return Array(([heading] + sections).filter { !$0.isEmpty }.joined(separator: [.gap(palette)]))
    }

    private func headingBlocks(_ palette: Palette) -> [MenuCardBlock] {
        let title = card.title.map { MenuCardBlock(lines(of: $0, metrics.titleStyle), palette.label) }
        let message = card.message.map { MenuCardBlock(lines(of: $0, metrics.messageStyle), palette.secondaryLabel) }
        return [title, message].compactMap { $0 }
    }

    private func lines(
        of text: String,
        _ style: LineStyle,
        indent: Points = .zero,
        atMost limit: Int = .max
    ) -> (texts: [String], style: LineStyle) {
        (style.lines(of: text, within: metrics.textWidth - indent, atMost: limit), style)
    }
}

extension Palette {
    /// The color of a row's title.
    fileprivate subscript(kind: MenuCard.Row.Kind) -> String {
        switch kind {
        case .action: label
        case .destructive: destructive
        case .cancel: action
        }
    }
}
