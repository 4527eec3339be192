public import WaypostSchema

/// The font size and the line height of text.
public struct TextScale: Sendable, Hashable {
    /// The font size, in points.
    public let size: Int

    /// The height of a line, in points.
    public let lineHeight: Int

    /// Creates the scale of the attribution view's text style at a size category.
    ///
    /// The font sizes are those of the style "Subhead" on iOS in the Human Interface Guidelines. The line height at
    /// `large` is also from there. The other line heights are Waypost's own: those of equal font sizes in other styles,
    /// and rounded up between them.
    public init(_ category: ContentSizeCategory) {
        switch category {
        case .extraSmall: self.init(size: 12, lineHeight: 16)
        case .small: self.init(size: 13, lineHeight: 18)
        case .medium: self.init(size: 14, lineHeight: 19)
        case .large: self.init(size: 15, lineHeight: 20)
        case .extraLarge: self.init(size: 17, lineHeight: 22)
        case .extraExtraLarge: self.init(size: 19, lineHeight: 24)
        case .extraExtraExtraLarge: self.init(size: 21, lineHeight: 26)
        case .accessibilityMedium: self.init(size: 25, lineHeight: 31)
        case .accessibilityLarge: self.init(size: 30, lineHeight: 37)
        case .accessibilityExtraLarge: self.init(size: 36, lineHeight: 44)
        case .accessibilityExtraExtraLarge: self.init(size: 42, lineHeight: 50)
        case .accessibilityExtraExtraExtraLarge: self.init(size: 49, lineHeight: 59)
        }
    }

    private init(size: Int, lineHeight: Int) {
        self.size = size
        self.lineHeight = lineHeight
    }

    /// The distance of the baseline from the top of a line.
    ///
    /// Helvetica's letters reach 0.77 of the font size above the baseline and 0.23 below it. The remaining line height
    /// is divided evenly.
    public var baseline: Points {
        Points(rawValue: (lineHeight - size) * 50 + size * 77)
    }
}
