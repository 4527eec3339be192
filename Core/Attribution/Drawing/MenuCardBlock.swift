/// A full-width part of a menu: lines of text, or a separator between rows or sections.
struct MenuCardBlock: Sendable {
    private let texts: [String]
    private let style: LineStyle?
    private let color: String
    private let padding: Points

    /// Its height.
    let height: Points
}

extension MenuCardBlock {
    /// Creates a block of text.
    ///
    /// - Parameters:
    ///   - lines: the lines and their style.
    ///   - color: their color.
    init(_ lines: (texts: [String], style: LineStyle), _ color: String) {
        texts = lines.texts
        style = lines.style
        self.color = color
        padding = lines.style.lineHeight.half
        height = lines.style.lineHeight * lines.texts.count + padding * 2
    }

    /// Returns a line between two rows.
    static func separator(_ palette: Palette) -> MenuCardBlock {
        MenuCardBlock(texts: [], style: nil, color: palette.separator, padding: .zero, height: Points(rawValue: 50))
    }

    /// Returns a bar between two sections.
    static func gap(_ palette: Palette) -> MenuCardBlock {
        MenuCardBlock(texts: [], style: nil, color: palette.background, padding: .zero, height: Points(8))
    }

    /// Returns the elements of the block at a vertical position.
    func elements(at y: Points, _ metrics: MenuCardMetrics) -> [SVGElement] {
        guard let style else {
            return [
                SVGElement(LayoutRectangle(x: .zero, y: y, width: metrics.width, height: height), fill: color)
            ]
        }
        let x = MenuCardMetrics.padding
        return SVGElement.lines(texts, style, x: x, y: y + padding, maximumWidth: metrics.textWidth, fill: color)
    }
}
