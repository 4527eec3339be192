/// The style of a line of text outside attribution views: in a shelf or a menu.
struct LineStyle: Sendable, Hashable {
    /// The weight of the font.
    enum Weight: String {
        case normal
        case bold
    }

    /// The font size, in points.
    let size: Int

    /// The height of the line.
    let lineHeight: Points

    /// The weight of the font.
    let weight: Weight

    /// Creates a style relative to a text scale.
    ///
    /// - Parameters:
    ///   - scale: the scale of the user's preferred text size.
    ///   - percent: the font size in percent of the scale's; the result is rounded down to whole points.
    ///   - weight: the weight of the font.
    init(_ scale: TextScale, percent: Int = 100, weight: Weight = .normal) {
        size = scale.size * percent / 100
        lineHeight = Points((scale.lineHeight * percent + 99) / 100)
        self.weight = weight
    }

    /// A font size of one point, which makes widths hundredths of an em.
    static let monogram = LineStyle(size: 1, lineHeight: Points(1), weight: .bold)

    private init(size: Int, lineHeight: Points, weight: Weight) {
        self.size = size
        self.lineHeight = lineHeight
        self.weight = weight
    }

    /// Returns the width of a text.
    func width(of text: String) -> Points {
        text.reduce(into: .zero) { $0 += width(of: $1) }
    }

    /// Returns the width of a grapheme cluster.
    ///
    /// Bold letters are 0.06 em wider than regular ones. Exceptions are digits and most capitals (as in the published
    /// widths of Helvetica and Helvetica Bold), and characters that are as wide as they are high.
    func width(of cluster: Character) -> Points {
        let regular = TextMeasure(size: size).width(of: cluster)
        let hasRegularWidth =
            weight == .normal || regular >= Points(size) || cluster.isWhitespace || cluster.isNumber
            || cluster.isUppercase && !"ABJKL".contains(cluster)
        return hasRegularWidth ? regular : regular + Points(rawValue: 6 * size)
    }

    /// Returns a text, shortened with an ellipsis if it is too wide; `nil` if not even one cluster fits.
    func fitted(_ text: String, within maximumWidth: Points) -> String? {
        if width(of: text) <= maximumWidth { return text }
        var shortened = ""
        var usedWidth = width(of: TextMeasure.ellipsis)
        for cluster in text {
            usedWidth += width(of: cluster)
            guard usedWidth <= maximumWidth else { break }
            shortened.append(cluster)
        }
        shortened = shortened.withoutSpaceAtEnd
        return shortened.isEmpty ? nil : shortened + String(TextMeasure.ellipsis)
    }

    /// Places a text, shortened to the available width.
    ///
    /// - Parameters:
    ///   - text: plain text; it is isolated, so that an ellipsis is at the end of its letters.
    ///   - x: the left edge.
    ///   - y: the top edge of the line.
    ///   - maximumWidth: the maximum width.
    /// - Returns: the line; `nil` if nothing fits or the text is empty.
    func placed(_ text: String, x: Points, y: Points, maximumWidth: Points) -> PlacedText? {
        guard !text.isEmpty, let fitted = fitted(text, within: maximumWidth) else { return nil }
        let capitalHeight = Points(rawValue: size * 72)
        return PlacedText(
            text: fitted.isolated,
            frame: LayoutRectangle(x: x, y: y, width: width(of: fitted), height: lineHeight),
            baseline: y + (lineHeight + capitalHeight).half,
            size: size
        )
    }
}
