/// A link in a message's text.
public struct DetectedLink: Sendable, Hashable {
    /// What made a piece of text a link.
    public enum Rule: String, Sendable, Hashable, CaseIterable {
        /// It has the scheme `http://` or `https://`.
        case scheme

        /// It starts with `www.`.
        case www
    }

    /// The URL that an app is handed: as it is written, with `https://` in front where that is missing.
    public var url: String

    /// What made it a link.
    public var rule: Rule

    /// Where it starts in the text, in bytes of UTF-8.
    public var utf8Offset: Int

    /// Creates a link.
    ///
    /// - Parameters:
    ///   - url: The URL that an app is handed.
    ///   - rule: What made it a link.
    ///   - utf8Offset: Where it starts in the text, in bytes of UTF-8.
    public init(url: String, rule: Rule, utf8Offset: Int) {
        self.url = url
        self.rule = rule
        self.utf8Offset = utf8Offset
    }
}
