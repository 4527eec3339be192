public import WaypostSchema

/// The layouts of an attribution view in each language, at each text size and in each given width.
public struct LayoutReport: Sendable, Equatable {
    /// The rows, ordered by language, then by text size from the smallest, then by width in the given order.
    public let rows: [LayoutReportRow]

    /// Lays out a link's attribution view in all languages, at all text sizes and in the given widths.
    ///
    /// - Parameters:
    ///   - link: the link, with the people who shared it.
    ///   - preferences: the app's preferences; its limits on the text size apply, its width is replaced.
    ///   - widths: the widths of the view, in points.
    public init(_ link: SharedLink, _ preferences: AttributionPreferences, widths: [Double]) {
        self.init(AttributionLanguage.allCases.map { AttributionContent(link, in: $0) }, preferences, widths: widths)
    }

    /// Lays out contents at all text sizes and in the given widths.
    ///
    /// - Parameters:
    ///   - contents: the contents, each in its language.
    ///   - preferences: the app's preferences; its limits on the text size apply, its width is replaced.
    ///   - widths: the widths of the view, in points.
    public init(_ contents: [AttributionContent], _ preferences: AttributionPreferences, widths: [Double]) {
        rows = contents.flatMap { content in
            ContentSizeCategory.allCases.flatMap { category in
                widths.map { LayoutReportRow(content, preferences, preferring: category, width: $0) }
            }
        }
    }
}

/// The layout of an attribution view in one language, at one text size and in one width.
public struct LayoutReportRow: Codable, Sendable, Equatable {
    /// The language of the text: `en`, `zh-Hans`, `ja` or `ko`.
    public var language: String

    /// The user's preferred text size.
    public var preferredContentSizeCategory: ContentSizeCategory

    /// The effective text size.
    public var contentSizeCategory: ContentSizeCategory

    /// The given width of the view, in points.
    public var width: Double

    /// Whether the content is shown in full, truncated, clipped or not at all.
    public var outcome: AttributionReport.Outcome

    /// The truncation step that is shown.
    public var step: AttributionReport.Step

    /// The size of the view.
    public var size: LayoutSize

    /// The size of the full content.
    public var naturalSize: LayoutSize

    /// The text that is drawn; empty if there is none.
    public var text: String

    /// Lays out content.
    ///
    /// - Parameters:
    ///   - content: the content of the view.
    ///   - preferences: the app's preferences, whose width is replaced.
    ///   - category: the user's preferred text size.
    ///   - width: the width of the view, in points.
    init(
        _ content: AttributionContent,
        _ preferences: AttributionPreferences,
        preferring category: ContentSizeCategory,
        width: Double
    ) {
        var preferences = preferences
        preferences.width = width
        let layout = AttributionLayout(content, preferences, preferredContentSizeCategory: category)
        self.language = content.language.rawValue
        self.preferredContentSizeCategory = category
        self.contentSizeCategory = layout.contentSizeCategory
        self.width = width
        self.outcome = layout.outcome
        self.step = layout.truncationStep
        self.size = layout.size.inPoints
        self.naturalSize = layout.naturalSize.inPoints
        self.text = layout.text?.text ?? ""
    }
}
