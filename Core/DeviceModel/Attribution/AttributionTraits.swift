public import Attribution
public import WaypostSchema

/// What of the person's settings bears on an attribution view.
public struct AttributionTraits: Sendable, Equatable, Codable {
    /// The language of the words.
    public var language: AttributionLanguage

    /// Whether the person's language is that of the words, and not one that there are no words in.
    public var isTranslated: Bool

    /// The size of text that the person prefers.
    public var preferredContentSizeCategory: ContentSizeCategory

    /// Creates the traits of a person.
    ///
    /// - Parameters:
    ///   - language: the language, as a BCP 47 tag; the words are in the closest one that there is.
    ///   - category: the size of text that the person prefers.
    public init(language: String = "en", preferredContentSizeCategory category: ContentSizeCategory = .large) {
        self.language = AttributionLanguage(tag: language)
        isTranslated = AttributionLanguage.has(tag: language)
        preferredContentSizeCategory = category
    }
}
