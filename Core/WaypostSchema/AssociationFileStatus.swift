/// The state of a domain's apple-app-site-association file on a device.
public struct AssociationFileStatus: Codable, Sendable, Equatable {
    /// The domain of the file.
    public var domain: String

    /// The URL or the path of the file.
    public var source: String

    /// The time at which the file in use was fetched; absent if there is no file.
    public var fetchedAt: Timestamp?

    /// The time of the last attempt to fetch the file.
    public var checkedAt: Timestamp?

    /// The reason why the last attempt failed; absent if it succeeded.
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

/// A domain's apple-app-site-association file as a device gets it, whether an app needs it or not.
public struct AssociationFileContent: Codable, Sendable, Equatable {
    /// The URL or the path of the file.
    public var source: String

    /// The contents, if the file was fetched and is UTF-8.
    public var file: String?

    /// The reason why the file could not be fetched.
    public var failure: AssociationFailure?

    /// Creates the value from its parts.
    public init(source: String, file: String? = nil, failure: AssociationFailure? = nil) {
        self.source = source
        self.file = file
        self.failure = failure
    }
}

/// The reason why a domain's file could not be fetched.
public struct AssociationFailure: Error, Codable, Sendable, Equatable {
    /// The kinds of failures.
    public enum Code: String, StringChoice {
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
