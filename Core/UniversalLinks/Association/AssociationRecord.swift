// For base64.
internal import FoundationEssentials
public import WaypostSchema

/// What a device knows of a domain's association file: the last good one, and how the last attempt to have it ended.
public struct AssociationRecord: Sendable, Codable {
    /// The domain that the file is of.
    public let domain: String

    /// The URL or the path of the file.
    public private(set) var source: String

    /// The file that is in use, ready to be asked; `nil` where there never was a good one.
    public var matcher: AssociationMatcher? {
        file?.matcher
    }

    /// The bytes of that file.
    private var file: StoredFile?

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
            file = try StoredFile(try attempt.get())
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

/// An association file, which is encoded as its bytes.
private struct StoredFile: Codable {
    let bytes: [UInt8]
    let matcher: AssociationMatcher

    init(_ bytes: [UInt8]) throws(AssociationFailure) {
        self.bytes = bytes
        matcher = AssociationMatcher(try AssociationFile(bytes))
    }

    init(from decoder: any Decoder) throws {
        try self.init(Array(try decoder.singleValueContainer().decode(Data.self)))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Data(bytes))
    }
}
