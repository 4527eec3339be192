// For base64.
internal import FoundationEssentials
public import WaypostSchema

/// A device's record of a domain's association file: the last valid file, and the result of the last attempt to fetch
/// it.
public struct AssociationRecord: Sendable, Codable {
    /// The domain of the file.
    public let domain: String

    /// The URL or the path of the file.
    public private(set) var source: String

    /// The matcher for the file in use; `nil` if there has never been a valid file.
    public var matcher: AssociationMatcher? {
        file?.matcher
    }

    /// The bytes of the file in use.
    private var file: StoredFile?

    /// The time when the file in use was fetched.
    public private(set) var fetchedAt: Timestamp?

    /// The number of valid files that were fetched; it changes when the file changes.
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
    public mutating func recordFetch(
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

    /// The time until a file is fetched again, in milliseconds: a week, about as on real devices.
    public static let lifetimeMilliseconds = 7 * 24 * 60 * 60 * 1_000

    /// The time until the next attempt after a failure, in milliseconds.
    public static let retryDelayMilliseconds = 60 * 60 * 1_000

    /// The time of the next fetch; `nil` if the file has never been requested, so it must be fetched now.
    public var nextCheck: Timestamp? {
        guard let checkedAt else { return nil }
        return Timestamp(
            milliseconds: checkedAt.rawValue
                + (failure == nil ? Self.lifetimeMilliseconds : Self.retryDelayMilliseconds)
        )
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

/// An association file, which is encoded as its bytes in base64.
private struct StoredFile: Codable {
    let bytes: [UInt8]
    let matcher: AssociationMatcher

    init(_ bytes: [UInt8]) throws(AssociationFailure) {
        self.bytes = bytes
        matcher = AssociationMatcher(try AssociationFile(bytes))
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let bytes = Data(base64Encoded: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "the file is not base64")
        }
        try self.init(Array(bytes))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        // Only some coders write `Data` as base64.
        try container.encode(Data(bytes).base64EncodedString())
    }
}
