/// A predicate query: whether a predicate is true for a value.
public struct PredicateQuery: Codable, Sendable, Equatable {
    /// The predicate's format.
    public var format: String

    /// The value of SELF.
    public var value: String

    /// Creates the value from its parts.
    public init(format: String, value: String) {
        self.format = format
        self.value = value
    }
}
