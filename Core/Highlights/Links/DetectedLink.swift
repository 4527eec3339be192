/// A link in the text of a message.
public struct DetectedLink: Sendable, Hashable {
    /// The rule by which a piece of text is a link.
    public enum Rule: String, Sendable, Hashable, CaseIterable {
        /// It has the scheme `http://` or `https://`.
        case scheme

        /// It starts with `www.`.
        case www
    }

    /// The URL that an app receives: as it is written, with `https://` added if it has no scheme.
    public var url: String

    /// The rule by which the text is a link.
    public var rule: Rule

    /// The start of the link in the text, in UTF-8 bytes.
    public var utf8Offset: Int

    /// Creates a link.
    ///
    /// - Parameters:
    ///   - url: The URL that an app receives.
    ///   - rule: The rule by which the text is a link.
    ///   - utf8Offset: The start of the link in the text, in UTF-8 bytes.
    public init(url: String, rule: Rule, utf8Offset: Int) {
        self.url = url
        self.rule = rule
        self.utf8Offset = utf8Offset
    }
}
