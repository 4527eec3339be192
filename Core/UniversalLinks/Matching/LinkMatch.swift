public import WaypostSchema

/// The result of matching a URL against the rules for an app.
public struct LinkMatch: Sendable, Hashable {
    /// The reason for the result.
    public var reason: LinkDecision.Reason

    /// The index of the rule that decided, among all rules of the file; `nil` if no rule did.
    public var ruleIndex: Int?

    /// The outcome: the rules offer the URL to the app, exclude it, or do not match it.
    public var outcome: LinkDecision.Outcome {
        switch reason {
        case .matched: .match
        case .excluded: .exclude
        default: .noMatch
        }
    }
}
