public import WaypostSchema

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
