/// The number of items that a list shows, and whether it offers Show More for the others.
public struct ShowMore: Sendable, Hashable {
    /// The effect of choosing Show More.
    public enum Style: String, Sendable, CaseIterable {
        /// The shelf expands and shows all items.
        case expandsInPlace

        /// A list of all items opens.
        case listsAll
    }

    /// The number of items that are shown.
    public let shownCount: Int

    /// The number of items that are hidden; if it is not 0, there is a Show More.
    public let hiddenCount: Int

    /// The effect of choosing Show More.
    public let style: Style

    /// The number of items that a shelf shows at first, unless the app says otherwise (Waypost's own).
    public static let defaultLimit = 5

    /// Creates the value for a list.
    ///
    /// - Parameters:
    ///   - total: the total number of items.
    ///   - limit: the number of items that are shown at first.
    ///   - isExpanded: whether Show More was chosen, so that the expanded shelf or the list of all items is shown.
    ///   - style: the effect of choosing Show More.
    public init(items total: Int, after limit: Int, isExpanded: Bool = false, style: Style = .expandsInPlace) {
        shownCount = isExpanded ? max(total, 0) : max(min(total, limit), 0)
        hiddenCount = max(total, 0) - shownCount
        self.style = style
    }

    /// Returns the title of Show More; `nil` if all items are shown.
    public func title(in language: AttributionLanguage) -> String? {
        hiddenCount == 0 ? nil : Phrase.showMore.text(in: language)
    }
}
