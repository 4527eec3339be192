/// A device's records of association files, each for a domain and a source.
public struct AssociationRecords: Sendable {
    private var records: [AssociationRequest: AssociationRecord] = [:]

    /// Creates no records.
    public init() {}

    /// The files with records, sorted.
    public var requests: [AssociationRequest] {
        records.keys.sorted()
    }

    /// The record of a file, or `nil` if it was never requested.
    public subscript(request: AssociationRequest) -> AssociationRecord? {
        get { records[request] }
        set { records[request] = newValue }
    }
}

/// The records are encoded as a list.
extension AssociationRecords: Codable {
    private struct Entry: Codable {
        let request: AssociationRequest
        let record: AssociationRecord
    }

    /// Decodes the records.
    public init(from decoder: any Decoder) throws {
        for entry in try decoder.singleValueContainer().decode([Entry].self) { self[entry.request] = entry.record }
    }

    /// Encodes the records, sorted.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(
            requests.compactMap { request in
                records[request].map { Entry(request: request, record: $0) }
            }
        )
    }
}
