/// The verdict of the user's choices, at one gate, on a link of a conversation.
public struct ConsentVerdict: Codable, Sendable, Equatable {
    /// The rule that decided.
    public var rule: ConsentRule

    /// Whether the gate lets the link through.
    public var isAllowed: Bool

    /// The choice that decided; absent if a default decided.
    public var record: ConsentRecord?

    /// A human-readable clause that gives the reason.
    public var explanation: String

    /// Creates the value from its parts.
    public init(rule: ConsentRule, isAllowed: Bool, record: ConsentRecord? = nil, explanation: String) {
        self.rule = rule
        self.isAllowed = isAllowed
        self.record = record
        self.explanation = explanation
    }
}
