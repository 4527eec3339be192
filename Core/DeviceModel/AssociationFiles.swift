internal import UniversalLinks
internal import WaypostSchema

/// The association files of the domains that a device's apps are associated with.
struct AssociationFiles: Sendable, Codable {
    /// The files to request, sorted.
    private(set) var requests: [AssociationRequest] = []

    /// The record of each file.
    private(set) var records = AssociationRecords()

    /// For each file, the number of installations of apps that need it and were made since it was fetched.
    private var installationCounts: [AssociationRequest: Int] = [:]

    init(_ associations: [LinkAssociation]) {
        setRequired(associations)
    }

    /// Sets the files that are required now.
    ///
    /// The records of others are kept, because their apps may return.
    mutating func setRequired(_ associations: [LinkAssociation]) {
        requests = Set(associations.flatMap(\.requiredFiles)).sorted()
    }

    /// Requests the files of an app again, as a device does when the app is installed.
    mutating func requestAgain(_ association: LinkAssociation) {
        for request in association.requiredFiles { installationCounts[request, default: 0] += 1 }
    }

    /// Replaces the records of all files.
    mutating func replaceRecords(with records: AssociationRecords) {
        self.records = records
    }

    /// Returns whether a file is listed: one that apps need, or the published one of a domain that they do not need.
    func lists(_ request: AssociationRequest) -> Bool {
        requests.contains(request) || !request.isDevelopment && !requests.contains { $0.domain == request.domain }
    }

    /// Returns the number of installations of apps that need a file and were made since it was fetched.
    func installationCount(of request: AssociationRequest) -> Int {
        installationCounts[request] ?? 0
    }

    /// Returns the time at which a file must be requested.
    func nextCheck(of request: AssociationRequest) -> Timestamp {
        let immediately = Timestamp(milliseconds: 0)
        return installationCount(of: request) > 0 ? immediately : records[request]?.nextCheck ?? immediately
    }

    /// Records the result of an attempt to fetch a file, and returns its state.
    mutating func recordFetch(
        _ attempt: Result<[UInt8], AssociationFailure>,
        of request: AssociationRequest,
        from source: String,
        at now: Timestamp
    ) -> AssociationFileStatus {
        var record = records[request] ?? AssociationRecord(domain: request.domain, source: source)
        record.recordFetch(attempt, from: source, at: now)
        records[request] = record
        installationCounts[request] = nil
        return record.status
    }
}
