public import WaypostSchema

/// How large text is: the size of its letters and the height of a line.
public struct TextScale: Sendable, Hashable {
    /// The size of the letters, in points.
    public let size: Int

    /// The height of a line, in points.
    public let lineHeight: Int

    /// Creates the scale of a text style as small as the names of an attribution view, at a size category.
    ///
    /// The sizes are those that the Human Interface Guidelines print for the style "Subhead" on iOS. Of the heights they
    /// print the one at `large`; the others are ours: those of equal sizes in other styles, and rounded up between them.
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

    /// Where the baseline is, from the top of a line.
    ///
    /// Letters of Helvetica reach 77 hundredths of their size above it and 23 below; what a line has above that is
    /// shared out evenly.
    public var baseline: Points {
        Points(rawValue: (lineHeight - size) * 50 + size * 77)
    }
}
