internal import DequeModule
internal import PushRules
internal import WaypostSchema

/// The last requests of providers in one namespace, as a value; older ones are forgotten.
struct RecentRequests: Sendable {
    /// The maximum number of requests.
    static let capacity = 100

    private var records: Deque<ProviderRequestRecord> = []

    /// The requests in the order in which they arrived.
    var all: [ProviderRequestRecord] {
        Array(records)
    }

    /// Adds a request.
    mutating func append(_ record: ProviderRequestRecord) {
        if records.count == Self.capacity { records.removeFirst() }
        records.append(record)
    }

    /// Adds the response to the request with a number, unless the request is forgotten.
    mutating func recordResponse(_ response: ProviderResponse, to number: Int) {
        guard let index = records.lastIndex(where: { $0.number == number }) else { return }
        records[index].record(response)
    }
}

extension ProviderRequestRecord {
    /// Adds the response to the request.
    mutating func record(_ response: ProviderResponse) {
        id = NotificationID(rawValue: response.id)
        status = response.status
        findings = response.findings.isEmpty ? nil : response.findings
        guard case .refused(let refusal) = response.outcome else { return }
        reason = refusal.reason
        message = refusal.message
    }
}
