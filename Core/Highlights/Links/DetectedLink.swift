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

    /// The start of the link in the text, in UTF-16 code units, like the `location` of an `NSRange`.
    public var location: Int

    /// The length of the link in the text, in UTF-16 code units.
    public var length: Int

    /// Creates a link.
    ///
    /// - Parameters:
    ///   - url: The URL that an app receives.
    ///   - rule: The rule by which the text is a link.
    ///   - location: The start of the link in the text, in UTF-16 code units.
    ///   - length: The length of the link in the text, in UTF-16 code units.
    public init(url: String, rule: Rule, location: Int, length: Int) {
        self.url = url
        self.rule = rule
        self.location = location
        self.length = length
    }
}
