/// The side of an avatar that another one in front covers.
enum CoveredSide {
    case left
    case right
}

extension SVGElement {
    /// Creates letters in the middle of a square.
    ///
    /// Their size is at most 0.42 of the square's height, and their width at most 0.56 of it. So they stay inside the
    /// circle in the square, and inside the rest of it if an avatar in front covers a quarter.
    ///
    /// - Parameters:
    ///   - letters: one or two grapheme clusters.
    ///   - frame: the square.
    ///   - fill: the color of the letters.
    ///   - coveredSide: the side of which an avatar in front covers a quarter; the letters are centered in the rest.
    init(letters: String, in frame: LayoutRectangle, fill: String, coveredSide: CoveredSide? = nil) {
        let side = frame.height.rawValue
        // At a font size of one point, widths are hundredths of an em.
        let advance = max(LineStyle.monogram.width(of: letters).rawValue, 1)
        let size = min(side * 42 / 100, side * 56 / advance)
        let shift =
            switch coveredSide {
            case .left: Points(rawValue: side * 14 / 100)
            case .right: Points(rawValue: -side * 14 / 100)
            case nil: Points.zero
            }
        self.init(
            .text,
            [
                .x: frame.midX + shift, .y: frame.midY + Points(rawValue: size * 36 / 100),
                .fontSize: Points(rawValue: size), .fontWeight: LineStyle.monogram.weight.rawValue,
                .textAnchor: "middle",
                .textLength: Points(rawValue: size * advance / 100), .lengthAdjust: "spacingAndGlyphs", .fill: fill,
            ],
            text: letters
        )
    }
}
