/// The result of one condition.
public struct ConditionTrace: Codable, Sendable, Equatable {
    /// The condition, in canonical form.
    public var predicate: String

    /// The condition as it is written, such as `allowing: ["/orders/"]`; absent if it is written as a predicate.
    public var written: String?

    /// The result; `false` if the condition cannot be evaluated.
    public var result: Bool

    /// The part of the condition that decided.
    public var deciding: DecidingPredicate?

    /// The reason why the condition cannot be evaluated.
    public var error: ContentPredicateError?

    /// Creates the value from its parts.
    public init(
        predicate: String,
        written: String? = nil,
        result: Bool,
        deciding: DecidingPredicate? = nil,
        error: ContentPredicateError? = nil
    ) {
        self.predicate = predicate
        self.written = written
        self.result = result
        self.deciding = deciding
        self.error = error
    }
}
