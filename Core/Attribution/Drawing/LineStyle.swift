/// How a line of text looks that stands outside attribution views: in a shelf, in a menu.
struct LineStyle: Sendable, Hashable {
    /// How heavy letters are.
    enum Weight: String {
        case normal
        case bold
    }

    /// The size of the letters, in points.
    let size: Int

    /// The height of the line.
    let lineHeight: Points

    /// How heavy the letters are.
    let weight: Weight

    /// Creates the style for a part of a scale.
    ///
    /// - Parameters:
    ///   - scale: the size of text that a person prefers.
    ///   - percent: how large the letters are, in hundredths of that; they are whole points.
    ///   - weight: how heavy they are.
    init(_ scale: TextScale, percent: Int = 100, weight: Weight = .normal) {
        size = scale.size * percent / 100
        lineHeight = Points((scale.lineHeight * percent + 99) / 100)
        self.weight = weight
    }

    /// Letters of one point: widths are in hundredths of an em.
    static let monogram = LineStyle(size: 1, lineHeight: Points(1), weight: .bold)

    private init(size: Int, lineHeight: Points, weight: Weight) {
        self.size = size
        self.lineHeight = lineHeight
        self.weight = weight
    }

    /// Returns how wide a text is.
    func width(of text: String) -> Points {
        text.reduce(into: .zero) { $0 += width(of: $1) }
    }

    /// Returns how wide a grapheme cluster is.
    ///
    /// Bold letters are 6 hundredths of an em wider than others, but digits and most capitals are not, as the published
    /// widths of Helvetica and Helvetica Bold have it; nor is what is as wide as it is high.
    func width(of cluster: Character) -> Points {
        let regular = TextMeasure(size: size).width(of: cluster)
        let isAsWide =
            weight == .normal || regular >= Points(size) || cluster.isWhitespace || cluster.isNumber
            || cluster.isUppercase && !"ABJKL".contains(cluster)
        return isAsWide ? regular : regular + Points(rawValue: 6 * size)
    }

    /// Returns as much of a text as there is room for, with an ellipsis where that is not all; `nil` for nothing.
    func fitted(_ text: String, within room: Points) -> String? {
        if width(of: text) <= room { return text }
        var kept = ""
        var used = width(of: TextMeasure.ellipsis)
        for cluster in text {
            used += width(of: cluster)
            guard used <= room else { break }
            kept.append(cluster)
        }
        kept = kept.withoutSpaceAtEnd
        return kept.isEmpty ? nil : kept + String(TextMeasure.ellipsis)
    }

    /// Puts a text in its place, shortened to the room that there is.
    ///
    /// - Parameters:
    ///   - text: plain text; it is isolated, so that an ellipsis stands where its letters end.
    ///   - x: the left edge.
    ///   - y: the upper edge of the line.
    ///   - room: how wide it may be.
    /// - Returns: the line; `nil` where there is room for nothing, or there is no text.
    func placed(_ text: String, x: Points, y: Points, room: Points) -> PlacedText? {
        guard !text.isEmpty, let fitted = fitted(text, within: room) else { return nil }
        let capitals = Points(rawValue: size * 72)
        return PlacedText(
            text: fitted.isolated,
            frame: LayoutRectangle(x: x, y: y, width: width(of: fitted), height: lineHeight),
            baseline: y + (lineHeight + capitals).half,
            size: size
        )
    }
}
