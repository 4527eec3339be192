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
