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
