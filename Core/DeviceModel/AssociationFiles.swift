internal import UniversalLinks
internal import WaypostSchema

/// The association files of the domains that a device's apps are associated with.
struct AssociationFiles: Sendable, Codable {
    /// The domains to ask, sorted.
    private(set) var requests: [AssociationRequest] = []

    /// What is known of each domain's file.
    private(set) var records: [String: AssociationRecord] = [:]

    init(_ associations: [LinkAssociation]) {
        need(associations)
    }

    /// Takes in which files are needed now; what is known of others is kept, as an app may come back.
    mutating func need(_ associations: [LinkAssociation]) {
        var isDevelopment: [String: Bool] = [:]
        for (domain, modes) in associations.flatMap(\.neededFiles) {
            isDevelopment[domain] = isDevelopment[domain] == true || modes.contains(.developer)
        }
        requests = isDevelopment.keys.sorted().map { domain in
            AssociationRequest(domain: domain, isDevelopment: isDevelopment[domain] ?? false)
        }
    }

    /// Takes over what is known of files.
    mutating func takeOver(_ records: [String: AssociationRecord]) {
        self.records = records
    }

    /// Takes in how an attempt to fetch a domain's file ended; returns what is known of the file now.
    mutating func take(
        _ attempt: Result<[UInt8], AssociationFailure>,
        of domain: String,
        from source: String,
        at now: Timestamp
    ) -> AssociationFileStatus {
        var record = records[domain] ?? AssociationRecord(domain: domain, source: source)
        record.take(attempt, from: source, at: now)
        records[domain] = record
        return record.status
    }
}
