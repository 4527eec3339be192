/// A measure for the width of text that needs no font: the sum of the widths of its grapheme clusters.
///
/// It ignores kerning and ligatures, so text in a real font is usually slightly narrower.
public struct TextMeasure: Sendable {
    /// The font size, in points.
    public let size: Int

    /// Creates the measure for a font size in points.
    public init(size: Int) {
        self.size = size
    }

    /// Returns the width of a text on one line.
    public func width(of text: String) -> Points {
        text.reduce(into: .zero) { $0 += width(of: $1) }
    }

    /// Returns the width of a grapheme cluster.
    ///
    /// An emoji is 1.25 times its size wide, however many scalars it has. The width of any other cluster is the sum of
    /// the widths of its scalars.
    public func width(of cluster: Character) -> Points {
        let advance =
            cluster.isDrawnAsEmoji ? 125 : cluster.unicodeScalars.reduce(0) { $0 + AdvanceTable.advance(of: $1) }
        return Points(rawValue: advance * size)
    }

    /// Returns a text, shortened with an ellipsis if it is too wide.
    ///
    /// The text is read once, and only as far as it fits.
    ///
    /// - Parameters:
    ///   - text: the text; white space before the ellipsis is dropped.
    ///   - maximumWidth: the maximum width.
    ///   - minimumCount: the minimum number of grapheme clusters before the ellipsis.
    /// - Returns: the text or its shortened form; `nil` if fewer than `minimumCount` clusters fit.
    public func fitted(_ text: String, within maximumWidth: Points, atLeast minimumCount: Int = 1) -> String? {
        let widthBeforeEllipsis = maximumWidth - width(of: Self.ellipsis)
        var usedWidth = Points.zero
        var characters: [Character] = []
        for cluster in text {
            usedWidth += width(of: cluster)
            if usedWidth <= widthBeforeEllipsis { characters.append(cluster) }
            if usedWidth > maximumWidth { return Self.appendingEllipsis(to: characters, atLeast: minimumCount) }
        }
        return text
    }

    /// The character that replaces the rest of a shortened text.
    static let ellipsis: Character = "…"

    private static func appendingEllipsis(to clusters: [Character], atLeast minimumCount: Int) -> String? {
        let end = clusters.lastIndex { !$0.isWhitespace }.map { $0 + 1 } ?? 0
        return end < minimumCount ? nil : String(clusters[..<end]) + String(ellipsis)
    }
}

extension Character {
    /// Whether the cluster is drawn as an emoji, by default or because of a variation selector.
    fileprivate var isDrawnAsEmoji: Bool {
        guard let first = unicodeScalars.first else { return false }
        if first.properties.isEmojiPresentation { return true }
        guard first.properties.isEmoji else { return false }
        return first.value > 0xFF || unicodeScalars.contains { $0.value == 0xFE0F }
    }
}
