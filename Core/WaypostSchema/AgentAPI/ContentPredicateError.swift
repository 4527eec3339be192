/// The reason why a predicate format is refused, or cannot be evaluated.
public struct ContentPredicateError: Error, Codable, Sendable, Equatable {
    /// The kinds of errors.
    public enum Code: String, Codable, Sendable {
        /// The format is not a predicate that this version supports.
        case syntax

        /// The format is a predicate that is not allowed in activation conditions.
        case forbidden

        /// The predicate cannot be evaluated with the value.
        case evaluation
    }

    /// The kind of error.
    public var code: Code

    /// A human-readable description of what was found and what would be accepted.
    public var message: String

    /// The position in the format, in UTF-8 bytes from 0.
    public var offset: Int

    /// Creates the value from its parts.
    public init(code: Code, message: String, offset: Int) {
        self.code = code
        self.message = message
        self.offset = offset
    }
}
