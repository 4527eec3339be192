/// The reason why a whole request was refused.
public struct APIError: Error, Codable, Sendable, Equatable {
    /// A stable name for a reason; unknown names are kept.
    ///
    /// `docs/errors.md` lists all codes.
    public struct Code: StringIdentifier {
        /// The name.
        public var rawValue: String

        /// Creates the code named `rawValue`.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// A stable name for the reason, for programs.
    public var code: Code

    /// A human-readable reason, which says what would be accepted.
    public var message: String

    /// The line of the body with the error, from 1.
    public var line: Int?

    /// The byte of the body with the error, from 0; of the inflated body if it was compressed.
    public var offset: Int?

    /// Creates the value from its parts.
    public init(code: Code, message: String, line: Int? = nil, offset: Int? = nil) {
        self.code = code
        self.message = message
        self.line = line
        self.offset = offset
    }
}
