internal import UniversalLinks
internal import WaypostSchema

/// The association files of the domains that a device's apps are associated with.
struct AssociationFiles: Sendable, Codable {
    /// The domains to ask, sorted.
    private(set) var requests: [AssociationRequest] = []

    /// The record of each domain's file.
    private(set) var records: [String: AssociationRecord] = [:]

    init(_ associations: [LinkAssociation]) {
        setRequired(associations)
    }

    /// Sets the files that are required now.
    ///
    /// The records of others are kept, because their apps may return.
    mutating func setRequired(_ associations: [LinkAssociation]) {
        var isDevelopment: [String: Bool] = [:]
        for (domain, modes) in associations.flatMap(\.requiredFiles) {
            isDevelopment[domain] = isDevelopment[domain] == true || modes.contains(.developer)
        }
        requests = isDevelopment.keys.sorted().map { domain in
            AssociationRequest(domain: domain, isDevelopment: isDevelopment[domain] ?? false)
        }
    }

    /// Replaces the records of all files.
    mutating func replaceRecords(with records: [String: AssociationRecord]) {
        self.records = records
    }

    /// Records the result of an attempt to fetch a domain's file, and returns the file's state.
    mutating func recordFetch(
        _ attempt: Result<[UInt8], AssociationFailure>,
        of domain: String,
        from source: String,
        at now: Timestamp
    ) -> AssociationFileStatus {
        var record = records[domain] ?? AssociationRecord(domain: domain, source: source)
        record.recordFetch(attempt, from: source, at: now)
        records[domain] = record
        return record.status
    }
}
