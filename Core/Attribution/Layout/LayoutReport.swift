public import WaypostSchema

/// What becomes of an attribution view wherever it is shown: in each language, at each size of text, in each width.
public struct LayoutReport: Sendable, Equatable {
    /// The rows: by language, then by size of text from the smallest, then by width as they were given.
    public let rows: [LayoutReportRow]

    /// Lays a link's attribution view out in all languages, at all sizes of text and in some widths.
    ///
    /// - Parameters:
    ///   - link: the link with those who shared it.
    ///   - preferences: what the app asks for; its bounds of the size of text stay in force, its width does not.
    ///   - widths: the widths of the view, in points.
    public init(_ link: SharedLink, _ preferences: AttributionPreferences, widths: [Double]) {
        self.init(AttributionLanguage.allCases.map { AttributionContent(link, in: $0) }, preferences, widths: widths)
    }

    /// Lays contents out at all sizes of text and in some widths.
    ///
    /// - Parameters:
    ///   - contents: what is to be shown, each in its language.
    ///   - preferences: what the app asks for; its bounds of the size of text stay in force, its width does not.
    ///   - widths: the widths of the view, in points.
    public init(_ contents: [AttributionContent], _ preferences: AttributionPreferences, widths: [Double]) {
        rows = contents.flatMap { content in
            ContentSizeCategory.allCases.flatMap { category in
                widths.map { LayoutReportRow(content, preferences, preferring: category, width: $0) }
            }
        }
    }
}

/// What becomes of an attribution view in one language, at one size of text, in one width.
public struct LayoutReportRow: Codable, Sendable, Equatable {
    /// The language of the words: `en`, `zh-Hans`, `ja` or `ko`.
    public var language: String

    /// The size of text that a person prefers.
    public var preferredContentSizeCategory: ContentSizeCategory

    /// The size of text in force.
    public var contentSizeCategory: ContentSizeCategory

    /// The width that the view was given, in points.
    public var width: Double

    /// What became of the contents.
    public var outcome: AttributionReport.Outcome

    /// How much of them is shown.
    public var step: AttributionReport.Step

    /// The size of the view.
    public var size: LayoutSize

    /// The size that the whole contents need.
    public var naturalSize: LayoutSize

    /// The text that is drawn; empty where there is none.
    public var text: String

    /// Lays contents out.
    ///
    /// - Parameters:
    ///   - content: what is to be shown.
    ///   - preferences: what the app asks for, but for the width.
    ///   - category: the size of text that a person prefers.
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
        self.step = layout.step
        self.size = layout.size.inPoints
        self.naturalSize = layout.naturalSize.inPoints
        self.text = layout.text?.text ?? ""
    }
}
