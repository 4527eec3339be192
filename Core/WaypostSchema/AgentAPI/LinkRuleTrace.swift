/// The result of one rule of an association file.
public struct LinkRuleTrace: Codable, Sendable, Equatable {
    /// The rule.
    public var rule: String

    /// The place of the rule in the file.
    public var place: String

    /// The line at which the rule starts, from 1.
    public var line: Int

    /// Whether the URL matches the rule.
    public var matched: Bool

    /// A human-readable reason.
    public var explanation: String

    /// Creates the value from its parts.
    public init(rule: String, place: String, line: Int, matched: Bool, explanation: String) {
        self.rule = rule
        self.place = place
        self.line = line
        self.matched = matched
        self.explanation = explanation
    }
}
