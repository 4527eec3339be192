public import Attribution
public import WaypostSchema

/// What of the person's settings bears on an attribution view.
public struct AttributionTraits: Sendable, Equatable {
    /// The language of the words.
    public var language: AttributionLanguage

    /// The size of text that the person prefers.
    public var preferredContentSizeCategory: ContentSizeCategory

    /// Creates the value from its parts.
    public init(language: AttributionLanguage = .english, preferredContentSizeCategory: ContentSizeCategory = .large) {
        self.language = language
        self.preferredContentSizeCategory = preferredContentSizeCategory
    }
}
