// For base64.
internal import FoundationEssentials
public import WaypostSchema

/// What a device knows of a domain's association file: the last good one, and how the last attempt to have it ended.
public struct AssociationRecord: Sendable {
    /// The domain that the file is of.
    public let domain: String

    /// The URL or the path of the file.
    public private(set) var source: String

    /// The file that is in use, ready to be asked; `nil` where there never was a good one.
    public private(set) var matcher: AssociationMatcher?

    /// The bytes of that file.
    private var file: [UInt8]?

    /// When that file was fetched.
    public private(set) var fetchedAt: Timestamp?

    /// How many good files there were; another number is another file.
    public private(set) var revision = 0

    /// When the domain was last asked for it.
    public private(set) var checkedAt: Timestamp?

    /// Why the last attempt failed; `nil` where it did not.
    public private(set) var failure: AssociationFailure?

    /// Creates the record of a domain that was not asked yet.
    public init(domain: String, source: String) {
        self.domain = domain
        self.source = source
    }

    /// Takes in how an attempt to fetch the file ended.
    ///
    /// What cannot be used leaves the previous good file in use, and its reason beside it.
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

    /// How long a file is used before the domain is asked again, in milliseconds: about a week, as devices do.
    public static let lifetime = 7 * 24 * 60 * 60 * 1_000

    /// How long a domain that failed is left alone, in milliseconds.
    public static let retryDelay = 60 * 60 * 1_000

    /// When the domain is to be asked again; `nil` for at once, as it never was.
    public var nextCheck: Timestamp? {
        guard let checkedAt else { return nil }
        return Timestamp(milliseconds: checkedAt.rawValue + (failure == nil ? Self.lifetime : Self.retryDelay))
    }

    /// Returns whether the domain is to be asked again.
    public func isDue(at now: Timestamp) -> Bool {
        nextCheck.map { $0 <= now } ?? true
    }

    /// The record as it is shown.
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

/// A file is written as the bytes that the domain sent.
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

    /// Reads a record, and its file again.
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

    /// Writes a record.
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
