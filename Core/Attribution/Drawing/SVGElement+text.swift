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
}
