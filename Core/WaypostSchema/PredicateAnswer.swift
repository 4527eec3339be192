/// A question to the predicate language: whether a value is one that a format describes.
public struct PredicateQuery: Codable, Sendable, Equatable {
    /// The predicate's format.
    public var format: String

    /// The value that SELF stands for.
    public var value: String

    /// Creates the value from its parts.
    public init(format: String, value: String) {
        self.format = format
        self.value = value
    }
}

/// The answer to a predicate query: a result, or an error.
public struct PredicateAnswer: Codable, Sendable, Equatable {
    /// Whether the value is one that the format describes.
    public var result: Bool?

    /// The format in canonical form.
    public var canonical: String?

    /// The part of the predicate that decided; there where it was asked for.
    public var deciding: DecidingPredicate?

    /// Why there is no result.
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

/// Why a predicate format is refused, or cannot be evaluated.
public struct ContentPredicateError: Error, Codable, Sendable, Equatable {
    /// A kind of error.
    public enum Code: String, Codable, Sendable {
        /// The format is not a predicate that this version reads.
        case syntax

        /// The format is a predicate, but one that activation conditions may not use.
        case forbidden

        /// The predicate cannot be evaluated on the value.
        case evaluation
    }

    /// What kind of error it is.
    public var code: Code

    /// What was found and what would be accepted, for a person.
    public var message: String

    /// Where in the format, in UTF-8 bytes from 0.
    public var offset: Int

    /// Creates the value from its parts.
    public init(code: Code, message: String, offset: Int) {
        self.code = code
        self.message = message
        self.offset = offset
    }
}

/// The part of a predicate that decided how the whole was answered.
public struct DecidingPredicate: Codable, Sendable, Equatable {
    /// The part, in canonical form.
    public var predicate: String

    /// How it was answered itself.
    public var result: Bool

    /// Why it was answered so, for a person.
    public var because: String

    /// Creates the value from its parts.
    public init(predicate: String, result: Bool, because: String) {
        self.predicate = predicate
        self.result = result
        self.because = because
    }
}

/// A predicate as it travels between processes: its canonical format, and how to read it.
public struct PackagedPredicate: Codable, Sendable, Equatable {
    /// The version that this code writes.
    public static let currentVersion = 1

    /// How the rest is to be read; 1.
    public var version: Int

    /// The predicate's format, which whoever unpacks it checks again.
    public var format: String

    /// Creates the value from its parts.
    public init(version: Int = Self.currentVersion, format: String) {
        self.version = version
        self.format = format
    }
}
