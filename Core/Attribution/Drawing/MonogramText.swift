extension SVGElement {
    /// Creates letters in the middle of a square, 0.42 of it in size, or less, so that they are never wider than 0.7 of
    /// it: so they stay inside the circle in it as well.
    ///
    /// - Parameters:
    ///   - letters: one or two grapheme clusters.
    ///   - frame: the square.
    ///   - fill: their colour.
    init(letters: String, in frame: LayoutRectangle, fill: String) {
        let side = frame.width.rawValue
        // A hundredth of the size is a hundredth of an em.
        let advance = max(LineStyle.monogram.width(of: letters).rawValue, 1)
        let size = min(side * 42 / 100, side * 70 / advance)
        self.init(
            .text,
            [
                .x: frame.midX, .y: frame.midY + Points(rawValue: size * 36 / 100), .fontSize: Points(rawValue: size),
                .fontWeight: LineStyle.monogram.weight.rawValue, .textAnchor: "middle",
                .textLength: Points(rawValue: size * advance / 100), .lengthAdjust: "spacingAndGlyphs", .fill: fill,
            ],
            text: letters
        )
    }
}
