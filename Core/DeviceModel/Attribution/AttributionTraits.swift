public import Attribution
public import WaypostSchema

/// The user's settings that affect attribution views.
public struct AttributionTraits: Sendable, Equatable, Codable {
    /// The language of the text.
    public var language: AttributionLanguage

    /// Whether the text is in the user's language, and not in another because that one is not available.
    public var isTranslated: Bool

    /// The text size that the user prefers.
    public var preferredContentSizeCategory: ContentSizeCategory

    /// The layout direction of the language, even if there are no texts in it.
    public var layoutDirection: LayoutDirection

    /// Creates the traits of a user.
    ///
    /// - Parameters:
    ///   - language: the user's language, as a BCP 47 tag; the text is in the closest language that is available.
    ///   - category: the text size that the user prefers.
    public init(language: String = "en", preferredContentSizeCategory category: ContentSizeCategory = .large) {
        self.language = AttributionLanguage(tag: language)
        isTranslated = AttributionLanguage.supports(tag: language)
        preferredContentSizeCategory = category
        layoutDirection = LayoutDirection(languageTag: language)
    }
}
