/// The reason why a domain's association file could not be fetched.
public struct AssociationFailure: Error, Codable, Sendable, Equatable {
    /// The kinds of failures.
    public enum Code: String, StringEnum {
        /// Nothing answered, or the host name is unknown.
        case unreachable

        /// The answer did not arrive, or was not complete, in time.
        case timedOut

        /// The server's certificate is not trusted, or no secure connection could be made.
        case untrusted

        /// The server redirects; redirects are not followed.
        case redirected

        /// The server answered with a status other than 200.
        case badStatus

        /// The file is larger than 128 KB.
        case tooLarge

        /// The file is signed; signed files are not supported.
        case signed

        /// The file is not JSON, or not a JSON object.
        case notJSON

        /// The local file cannot be read.
        case unreadable
    }

    /// The kind of failure.
    public var code: Code

    /// A human-readable description of the failure, with a remedy.
    public var message: String

    /// Creates the value from its parts.
    public init(code: Code, message: String) {
        self.code = code
        self.message = message
    }
}
