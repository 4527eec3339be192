/// What a shelf shows: a heading, the first items of an app's list in their order, and how many more there are.
public struct ShelfContent: Sendable, Equatable {
    /// The heading.
    public let heading: String

    /// The items that are shown, in the order of the app's list.
    public let cards: [ShelfCard]

    /// What Show More is called; `nil` where all items are shown.
    public let showMoreTitle: String?

    /// What choosing Show More does.
    public let showMoreStyle: ShowMore.Style

    /// The language of the words.
    public let language: AttributionLanguage

    /// Creates the contents of a shelf.
    ///
    /// - Parameters:
    ///   - cards: the items, in the order of the app's list; those that `showMore` does not show may be left out.
    ///   - showMore: how many of them are shown.
    ///   - language: the language of the words.
    public init(_ cards: [ShelfCard], _ showMore: ShowMore, in language: AttributionLanguage) {
        heading = Phrase.sharedWithYou.text(in: language)
        self.cards = Array(cards.prefix(showMore.shown))
        showMoreTitle = showMore.title(in: language)
        showMoreStyle = showMore.style
        self.language = language
    }
}
