/// Which apple-app-site-association file a device has of a domain, and how it came to it.
public struct AssociationFileStatus: Codable, Sendable, Equatable {
    /// The domain that the file speaks for.
    public var domain: String

    /// The URL or the path of the file.
    public var source: String

    /// When the file that is in use was fetched; absent where none is.
    public var fetchedAt: Timestamp?

    /// When the domain was last asked.
    public var checkedAt: Timestamp?

    /// Why the last attempt failed; absent where it did not.
    public var failure: AssociationFailure?

    /// Creates the value from its parts.
    public init(
        domain: String,
        source: String,
        fetchedAt: Timestamp? = nil,
        checkedAt: Timestamp? = nil,
        failure: AssociationFailure? = nil
    ) {
        self.domain = domain
        self.source = source
        self.fetchedAt = fetchedAt
        self.checkedAt = checkedAt
        self.failure = failure
    }
}

/// Why a domain's file could not be had.
public struct AssociationFailure: Error, Codable, Sendable, Equatable {
    /// What went wrong.
    public enum Code: String, StringChoice {
        /// Nothing answers, or the name is not known.
        case unreachable

        /// No answer came in time, or not all of it.
        case timedOut

        /// The server's certificate is not trusted, or there was no secure connection to be had.
        case untrusted

        /// The server redirects, which is not followed.
        case redirected

        /// The server answers with another status than 200.
        case badStatus

        /// The file is larger than 128 KB.
        case tooLarge

        /// The file is signed, which is not read.
        case signed

        /// The file is not JSON, or no JSON object.
        case notJSON

        /// The local file cannot be read.
        case unreadable
    }

    /// What went wrong.
    public var code: Code

    /// What went wrong in particular, and what to do about it, for a person.
    public var message: String

    /// Creates the value from its parts.
    public init(code: Code, message: String) {
        self.code = code
        self.message = message
    }
}
