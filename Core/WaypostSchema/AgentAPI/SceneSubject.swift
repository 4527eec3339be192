/// The text on which a scene's conditions are evaluated.
public struct SceneSubject: Codable, Sendable, Equatable {
    /// The sources of the text.
    public enum Source: String, StringEnum {
        /// The target content identifier.
        case targetContentIdentifier

        /// The webpage URL of a user activity without an identifier.
        case webpageURL

        /// The URL to open.
        case url
    }

    /// The text, which is the value of SELF.
    public var text: String

    /// The source of the text.
    public var source: Source

    /// Creates the value from its parts.
    public init(text: String, source: Source) {
        self.text = text
        self.source = source
    }
}
