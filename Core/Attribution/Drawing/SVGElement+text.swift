extension SVGElement {
    /// Creates a line of text with its measured width, whichever font is available.
    ///
    /// - Parameters:
    ///   - text: the placed text.
    ///   - fill: its color.
    ///   - weight: the weight of its font.
    init(_ text: PlacedText, fill: String, weight: LineStyle.Weight = .normal) {
        self.init(
            .text,
            [
                .x: text.frame.x, .y: text.baseline, .fontSize: text.size, .fontWeight: weight.rawValue,
                .textLength: text.frame.width, .lengthAdjust: "spacingAndGlyphs", .fill: fill,
            ],
            text: text.text
        )
    }

    /// Returns lines of text, each shortened to the available width.
    ///
    /// - Parameters:
    ///   - lines: the lines.
    ///   - style: their style.
    ///   - x: their left edge in a layout from left to right.
    ///   - y: the top edge of the first line.
    ///   - maximumWidth: their maximum width.
    ///   - fill: their color.
    ///   - mirror: the mirror of the picture.
    /// - Returns: an element for each line of which anything fits.
    static func lines(
        _ lines: [String],
        _ style: LineStyle,
        x: Points,
        y: Points,
        maximumWidth: Points,
        fill: String,
        mirror: LayoutMirror
    ) -> [SVGElement] {
        lines.enumerated().compactMap { index, line in
            style.placed(line, x: x, y: y + style.lineHeight * index, maximumWidth: maximumWidth)
                .map { SVGElement(mirror.placed($0), fill: fill, weight: style.weight) }
        }
    }
}
