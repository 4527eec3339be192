/// The answer to a predicate query: a result, or an error.
public struct PredicateAnswer: Codable, Sendable, Equatable {
    /// Whether the predicate is true for the value.
    public var result: Bool?

    /// The format in canonical form.
    public var canonical: String?

    /// The part of the predicate that decided; present on request.
    public var deciding: DecidingPredicate?

    /// The reason why there is no result.
    public var error: ContentPredicateError?

    /// Creates the value from its parts.
    public init(
        result: Bool? = nil,
        canonical: String? = nil,
        deciding: DecidingPredicate? = nil,
        error: ContentPredicateError? = nil
    ) {
        self.result = result
        self.canonical = canonical
        self.deciding = deciding
        self.error = error
    }
}
