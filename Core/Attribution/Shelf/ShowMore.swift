/// How many items of a list are shown, and whether there is a Show More for the others.
public struct ShowMore: Sendable, Hashable {
    /// What choosing Show More does.
    public enum Style: String, Sendable, CaseIterable {
        /// The shelf itself shows all items.
        case expandsInPlace

        /// A list of all items is opened.
        case listsAll
    }

    /// How many items are shown.
    public let shown: Int

    /// How many are not: there is a Show More where it is not 0.
    public let hidden: Int

    /// What choosing it does.
    public let style: Style

    /// Creates the value for a list.
    ///
    /// - Parameters:
    ///   - total: how many items there are.
    ///   - limit: how many are shown at first.
    ///   - isExpanded: whether Show More was chosen: the shelf is expanded, or the list of all items is what is shown.
    ///   - style: what choosing it does.
    public init(items total: Int, after limit: Int, isExpanded: Bool = false, style: Style = .expandsInPlace) {
        shown = isExpanded ? max(total, 0) : max(min(total, limit), 0)
        hidden = max(total, 0) - shown
        self.style = style
    }

    /// Returns what it is called; `nil` where all items are shown, as there is none then.
    public func title(in language: AttributionLanguage) -> String? {
        hidden == 0 ? nil : Phrase.showMore.text(in: language)
    }
}
