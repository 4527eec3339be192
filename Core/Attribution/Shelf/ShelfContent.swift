/// The content of a shelf: a heading, the first items of an app's list, and Show More for the others.
public struct ShelfContent: Sendable, Equatable {
    /// The heading.
    public let heading: String

    /// The items that are shown, in the order of the app's list.
    public let cards: [ShelfCard]

    /// The title of Show More; `nil` if all items are shown.
    public let showMoreTitle: String?

    /// The effect of choosing Show More.
    public let showMoreStyle: ShowMore.Style

    /// The language of the text.
    public let language: AttributionLanguage

    /// Creates the content of a shelf.
    ///
    /// - Parameters:
    ///   - cards: the items, in the order of the app's list; the caller may leave out items that `showMore` does not show.
    ///   - showMore: the number of items to show.
    ///   - language: the language of the text.
    public init(_ cards: [ShelfCard], _ showMore: ShowMore, in language: AttributionLanguage) {
        heading = Phrase.sharedWithYou.text(in: language)
        self.cards = Array(cards.prefix(showMore.shownCount))
        showMoreTitle = showMore.title(in: language)
        showMoreStyle = showMore.style
        self.language = language
    }
}
