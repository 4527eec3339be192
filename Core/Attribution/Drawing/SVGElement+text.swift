extension SVGElement {
    /// Creates a line of text that is as wide as it was measured, whatever font is there.
    ///
    /// - Parameters:
    ///   - text: the text in its place.
    ///   - fill: its colour.
    ///   - weight: how heavy its letters are.
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

    /// Returns lines of text, each shortened to the room that there is.
    ///
    /// - Parameters:
    ///   - lines: the lines.
    ///   - style: how they look.
    ///   - x: their left edge.
    ///   - y: the upper edge of the first.
    ///   - room: how wide they may be.
    ///   - fill: their colour.
    /// - Returns: an element for each line that there is room for.
    static func lines(
        _ lines: [String],
        _ style: LineStyle,
        x: Points,
        y: Points,
        room: Points,
        fill: String
    ) -> [SVGElement] {
        lines.enumerated().compactMap { index, line in
            style.placed(line, x: x, y: y + style.lineHeight * index, room: room)
                .map { SVGElement($0, fill: fill, weight: style.weight) }
        }
    }
}
