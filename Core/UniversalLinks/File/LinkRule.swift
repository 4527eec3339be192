/// A rule of an apple-app-site-association file: which URLs it is about, and whether it offers or keeps them.
///
/// It is an element of `components`, or one of `paths`, which was the form up to iOS 12; what is `nil` is not said.
public struct LinkRule: Hashable, Sendable {
    /// How a rule is written.
    public enum Form: Sendable {
        /// As an object, in `components`.
        case component

        /// As a string, in `paths`; it is about nothing but the path.
        case path
    }

    /// What a rule asks of a query.
    public enum Query: Hashable, Sendable {
        /// A pattern for the query as a whole.
        case whole(String)

        /// Patterns for the query's items by name, all of which must match.
        case items([Item])
    }

    /// What a rule asks of the items of one name.
    public struct Item: Hashable, Sendable {
        /// The items' name.
        public var name: String

        /// The pattern that each of them must match; without any, it must match the empty string.
        public var pattern: String

        /// Creates the value from its parts.
        public init(name: String, pattern: String) {
            self.name = name
            self.pattern = pattern
        }
    }

    /// How the rule is written.
    public var form = Form.component

    /// The pattern for the path (`/`).
    public var path: String?

    /// What is asked of the query (`?`).
    public var query: Query?

    /// The pattern for the fragment (`#`).
    public var fragment: String?

    /// Whether a URL that matches is kept from the app.
    public var exclude: Bool?

    /// A remark, for people.
    public var comment: String?

    /// Whether the case of letters matters.
    public var caseSensitive: Bool?

    /// Whether patterns are compared with the URL as it is written, rather than with what its escapes stand for.
    public var percentEncoded: Bool?

    /// Creates a rule that says nothing, and so matches everything.
    public init(form: Form = .component) {
        self.form = form
    }

    /// Whether a URL that matches is kept from the app; not, by default.
    public var isExclusion: Bool {
        exclude ?? false
    }

    /// Returns the rule with what it does not say taken from `defaults`.
    ///
    /// A rule of `paths` takes only how patterns are compared, as it has no query and no fragment to be about.
    func completed(by defaults: LinkRule) -> LinkRule {
        var rule = self
        rule.caseSensitive = caseSensitive ?? defaults.caseSensitive
        rule.percentEncoded = percentEncoded ?? defaults.percentEncoded
        guard form == .component else { return rule }
        rule.path = path ?? defaults.path
        rule.query = query ?? defaults.query
        rule.fragment = fragment ?? defaults.fragment
        rule.exclude = exclude ?? defaults.exclude
        return rule
    }
}
