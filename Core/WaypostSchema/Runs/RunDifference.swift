/// The expected value of a field, and the actual one.
public struct RunDifference: Codable, Sendable, Equatable {
    /// The field of the expectation.
    public var field: String

    /// The expected value.
    public var expected: String

    /// The actual value.
    public var actual: String

    /// Creates the value from its parts.
    public init(field: String, expected: String, actual: String) {
        self.field = field
        self.expected = expected
        self.actual = actual
    }
}
