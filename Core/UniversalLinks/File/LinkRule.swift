/// A rule of an apple-app-site-association file: the URLs that it matches, and whether it offers or excludes them.
///
/// A rule is an element of `components`, or of `paths`, the form up to iOS 12. A property is `nil` if the rule does not
/// have it.
public struct LinkRule: Hashable, Sendable {
    /// The form in which a rule is written.
    public enum Form: Sendable {
        /// An object, in `components`.
        case component

        /// A string, in `paths`; it matches only the path.
        case path
    }

    /// The patterns of a rule for a query.
    public enum Query: Hashable, Sendable {
        /// A pattern for the query as a whole.
        case whole(String)

        /// Patterns for the query's items by name, all of which must match.
        case items([Item])
    }

    /// The pattern of a rule for the items of one name.
    public struct Item: Hashable, Sendable {
        /// The items' name.
        public var name: String

        /// The pattern that each of these items must match; if there are none, it must match the empty string.
        public var pattern: String

        /// Creates the value from its parts.
        public init(name: String, pattern: String) {
            self.name = name
            self.pattern = pattern
        }
    }

    /// The form in which the rule is written.
    public var form = Form.component

    /// The pattern for the path (`/`).
    public var path: String?

    /// The patterns for the query (`?`).
    public var query: Query?

    /// The pattern for the fragment (`#`).
    public var fragment: String?

    /// Whether the rule excludes matching URLs instead of offering them to the app.
    public var exclude: Bool?

    /// A comment, for people who read the file.
    public var comment: String?

    /// Whether the case of letters matters.
    public var caseSensitive: Bool?

    /// Whether patterns are compared with the URL as written, without decoding its escapes.
    public var percentEncoded: Bool?

    /// Creates a rule without patterns, which matches every URL.
    public init(form: Form = .component) {
        self.form = form
    }

    /// Whether the rule excludes matching URLs; false by default.
    public var isExclusion: Bool {
        exclude ?? false
    }

    /// Returns the rule with the members that it does not have taken from `defaults`.
    ///
    /// A rule of `paths` takes only the two that determine how patterns are compared, because it has no query and no
    /// fragment.
    func applyingDefaults(_ defaults: LinkRule) -> LinkRule {
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
