/// A full-width part of a menu: lines of text with avatars beside them, or a separator between rows or sections.
struct MenuCardBlock: Sendable {
    /// The people whose avatars are beside the text.
    private let people: [ShownPerson]

    /// The space before the text, for the avatars.
    private let indent: Points

    private let texts: [String]
    private let style: LineStyle?
    private let color: String

    /// Its height.
    let height: Points
}

extension MenuCardBlock {
    /// Creates a block of text.
    ///
    /// - Parameters:
    ///   - lines: the lines and their style.
    ///   - color: their color.
    ///   - people: the people whose avatars are beside the text.
    ///   - indent: the space for the avatars, which is the same for all rows of a section.
    ///   - minimumHeight: the height of the avatars.
    init(
        _ lines: (texts: [String], style: LineStyle),
        _ color: String,
        people: [ShownPerson] = [],
        indent: Points = .zero,
        minimumHeight: Points = .zero
    ) {
        self.people = people
        self.indent = indent
        texts = lines.texts
        style = lines.style
        self.color = color
        let textHeight = lines.style.lineHeight * lines.texts.count
        height = max(textHeight, minimumHeight) + lines.style.lineHeight.half * 2
    }

    private init(color: String, height: Points) {
        (people, indent, texts, style) = ([], .zero, [], nil)
        self.color = color
        self.height = height
    }

    /// Returns a line between two rows.
    static func separator(_ palette: Palette) -> MenuCardBlock {
        MenuCardBlock(color: palette.separator, height: Points(rawValue: 50))
    }

    /// Returns a bar between two sections.
    static func gap(_ palette: Palette) -> MenuCardBlock {
        MenuCardBlock(color: palette.background, height: Points(8))
    }

    /// Returns the elements of the block.
    ///
    /// - Parameters:
    ///   - y: the top edge.
    ///   - metrics: the metrics of the menu.
    ///   - appearance: light or dark.
    ///   - definitions: the definitions that the elements refer to.
    /// - Returns: the elements, from back to front.
    func elements(
        at y: Points,
        _ metrics: MenuCardMetrics,
        in appearance: Appearance.Style,
        _ definitions: inout SVGDefinitions
    ) -> [SVGElement] {
        guard let style else {
            return [
                SVGElement(LayoutRectangle(x: .zero, y: y, width: metrics.width, height: height), fill: color)
            ]
        }
        let lines = SVGElement.lines(
            texts,
            style,
            x: MenuCardMetrics.padding + indent,
            y: y + (height - style.lineHeight * texts.count).half,
            maximumWidth: metrics.textWidth - indent,
            fill: color,
            mirror: metrics.mirror
        )
        return AvatarDrawing(avatars: avatars(at: y, metrics), style: appearance).elements(&definitions) + lines
    }

    /// Returns the avatars, which are at the leading edge and vertically centered.
    private func avatars(at y: Points, _ metrics: MenuCardMetrics) -> [PlacedAvatar] {
        let side = metrics.avatars.avatarDiameter
        return people.enumerated().map { index, person in
            let frame = LayoutRectangle(
                x: MenuCardMetrics.padding + metrics.avatars.avatarStep * index,
                y: y + (height - side).half,
                width: side,
                height: side
            )
            return metrics.mirror.placed(PlacedAvatar(frame: frame, person: person))
        }
    }
}
