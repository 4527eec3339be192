/// How wide text is, without a font: each grapheme cluster has a width of its own, and a text is as wide as they are.
///
/// There is no kerning, and ligatures are not joined: what is drawn by a real font is rather narrower.
public struct TextMeasure: Sendable {
    /// The size of the letters, in points.
    public let size: Int

    /// Creates the measure of text whose letters have a size in points.
    public init(size: Int) {
        self.size = size
    }

    /// Returns how wide a text is on one line.
    public func width(of text: String) -> Points {
        text.reduce(into: .zero) { $0 += width(of: $1) }
    }

    /// Returns how wide a grapheme cluster is.
    ///
    /// An emoji is one and a quarter of its size, however many scalars it is made of; of anything else the scalars are
    /// added up.
    public func width(of cluster: Character) -> Points {
        let advance =
            cluster.isDrawnAsEmoji ? 125 : cluster.unicodeScalars.reduce(0) { $0 + AdvanceTable.advance(of: $1) }
        return Points(rawValue: advance * size)
    }

    /// Returns a text, or where it is too wide as much of its beginning with an ellipsis as there is room for.
    ///
    /// The text is read once, and only as far as there is room.
    ///
    /// - Parameters:
    ///   - text: the text; white space before the ellipsis is dropped.
    ///   - room: how wide the result may be.
    ///   - least: how many grapheme clusters are to be left at least.
    /// - Returns: the text or its beginning; `nil` where the room does not do for `least`.
    public func fitted(_ text: String, within room: Points, atLeast least: Int = 1) -> String? {
        let roomBeforeEllipsis = room - width(of: Self.ellipsis)
        var used = Points.zero
        var kept: [Character] = []
        for cluster in text {
            used += width(of: cluster)
            if used <= roomBeforeEllipsis { kept.append(cluster) }
            if used > room { return Self.ended(kept, atLeast: least) }
        }
        return text
    }

    /// What stands for what was cut off.
    static let ellipsis: Character = "…"

    private static func ended(_ clusters: [Character], atLeast least: Int) -> String? {
        let end = clusters.lastIndex { !$0.isWhitespace }.map { $0 + 1 } ?? 0
        return end < least ? nil : String(clusters[..<end]) + String(ellipsis)
    }
}

extension Character {
    /// Whether it is drawn as a picture: by itself, or as a variation selector asks for it.
    fileprivate var isDrawnAsEmoji: Bool {
        guard let first = unicodeScalars.first else { return false }
        if first.properties.isEmojiPresentation { return true }
        guard first.properties.isEmoji else { return false }
        return first.value > 0xFF || unicodeScalars.contains { $0.value == 0xFE0F }
    }
}
