/// Why a whole request was refused.
public struct APIError: Error, Codable, Sendable, Equatable {
    /// A stable name of a reason; names that this version does not know are kept.
    ///
    /// All are in `docs/errors.md`.
    public struct Code: StringIdentifier {
        /// The name.
        public var rawValue: String

        /// Creates the code named `rawValue`.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// A stable name of the reason, for programs.
    public var code: Code

    /// The reason and what would be accepted, for a person.
    public var message: String

    /// The line of the body where it went wrong, from 1.
    public var line: Int?

    /// The byte of the body where it went wrong, from 0: of the inflated body where it was inflated.
    public var offset: Int?

    /// Creates the value from its parts.
    public init(code: Code, message: String, line: Int? = nil, offset: Int? = nil) {
        self.code = code
        self.message = message
        self.line = line
        self.offset = offset
    }
}

/// The body of every answer that refuses a whole request.
public struct APIErrorBody: Codable, Sendable, Equatable {
    /// Why.
    public var error: APIError

    /// The items that are to blame, in input order, where the request is a batch that is taken whole or not at all.
    public var results: [ItemResult]?

    /// Creates the value from its parts.
    public init(error: APIError, results: [ItemResult]? = nil) {
        self.error = error
        self.results = results
    }
}
