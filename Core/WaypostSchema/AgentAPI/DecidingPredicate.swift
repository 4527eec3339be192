/// The part of a predicate that decided the result.
public struct DecidingPredicate: Codable, Sendable, Equatable {
    /// The part, in canonical form.
    public var predicate: String

    /// The result of the part.
    public var result: Bool

    /// A human-readable reason for the result.
    public var because: String

    /// Creates the value from its parts.
    public init(predicate: String, result: Bool, because: String) {
        self.predicate = predicate
        self.result = result
        self.because = because
    }
}
