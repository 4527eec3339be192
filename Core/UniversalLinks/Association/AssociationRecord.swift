// For base64.
internal import FoundationEssentials
public import WaypostSchema

/// A device's record of a domain's association file: the last valid file, and the result of the last attempt to fetch
/// it.
public struct AssociationRecord: Sendable {
    /// The domain of the file.
    public let domain: String

    /// The URL or the path of the file.
    public private(set) var source: String

    /// The matcher for the file in use; `nil` if there has never been a valid file.
    public private(set) var matcher: AssociationMatcher?

    /// The bytes of the file in use.
    private var file: [UInt8]?

    /// The time when the file in use was fetched.
    public private(set) var fetchedAt: Timestamp?

    /// The number of valid files that were fetched; another number means another file.
    public private(set) var revision = 0

    /// The time of the last attempt to fetch the file.
    public private(set) var checkedAt: Timestamp?

    /// The reason that the last attempt failed; `nil` if it succeeded.
    public private(set) var failure: AssociationFailure?

    /// Creates the record of a domain whose file has not been requested yet.
    public init(domain: String, source: String) {
        self.domain = domain
        self.source = source
    }

    /// Records the result of an attempt to fetch the file.
    ///
    /// If the attempt failed or the file is invalid, the previous valid file stays in use, and `failure` has the
    /// reason.
    public mutating func take(
        _ attempt: Result<[UInt8], AssociationFailure>,
        from source: String,
        at now: Timestamp
    ) {
        self.source = source
        checkedAt = now
        do throws(AssociationFailure) {
            let file = try attempt.get()
            matcher = AssociationMatcher(try AssociationFile(file))
            self.file = file
            fetchedAt = now
            revision += 1
            failure = nil
        } catch {
            failure = error
        }
    }

    /// The time until a file is fetched again, in milliseconds: a week, about as on real devices.
    public static let lifetime = 7 * 24 * 60 * 60 * 1_000

    /// The time until the next attempt after a failure, in milliseconds.
    public static let retryDelay = 60 * 60 * 1_000

    /// The time of the next fetch; `nil` if the file has never been requested and is due at once.
    public var nextCheck: Timestamp? {
        guard let checkedAt else { return nil }
        return Timestamp(milliseconds: checkedAt.rawValue + (failure == nil ? Self.lifetime : Self.retryDelay))
    }

    /// Returns whether the file must be fetched again.
    public func isDue(at now: Timestamp) -> Bool {
        nextCheck.map { $0 <= now } ?? true
    }

    /// The status of the file, as APIs and the CLI show it.
    public var status: AssociationFileStatus {
        AssociationFileStatus(
            domain: domain,
            source: source,
            fetchedAt: fetchedAt,
            checkedAt: checkedAt,
            failure: failure
        )
    }
}

/// The file is encoded as the bytes that the domain sent.
extension AssociationRecord: Codable {
    private enum CodingKeys: CodingKey {
        case domain
        case source
        case file
        case fetchedAt
        case revision
        case checkedAt
        case failure
    }

    /// Decodes a record, and parses its file again.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            domain: try container.decode(String.self, forKey: .domain),
            source: try container.decode(String.self, forKey: .source)
        )
        file = try container.decodeIfPresent(Data.self, forKey: .file).map(Array.init)
        matcher = try file.map { AssociationMatcher(try AssociationFile($0)) }
        fetchedAt = try container.decodeIfPresent(Timestamp.self, forKey: .fetchedAt)
        revision = try container.decode(Int.self, forKey: .revision)
        checkedAt = try container.decodeIfPresent(Timestamp.self, forKey: .checkedAt)
        failure = try container.decodeIfPresent(AssociationFailure.self, forKey: .failure)
    }

    /// Encodes a record.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(domain, forKey: .domain)
        try container.encode(source, forKey: .source)
        try container.encodeIfPresent(file.map { Data($0) }, forKey: .file)
        try container.encodeIfPresent(fetchedAt, forKey: .fetchedAt)
        try container.encode(revision, forKey: .revision)
        try container.encodeIfPresent(checkedAt, forKey: .checkedAt)
        try container.encodeIfPresent(failure, forKey: .failure)
    }
}
