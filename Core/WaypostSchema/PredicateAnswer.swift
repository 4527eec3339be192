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

/// A predicate for transport between processes: its canonical format, and the version of the encoding.
public struct PackagedPredicate: Codable, Sendable, Equatable {
    /// The version that this code writes.
    public static let currentVersion = 1

    /// The version of the encoding; 1.
    public var version: Int

    /// The predicate's format; the receiver validates it again.
    public var format: String

    /// Creates the value from its parts.
    public init(version: Int = Self.currentVersion, format: String) {
        self.version = version
        self.format = format
    }
}
