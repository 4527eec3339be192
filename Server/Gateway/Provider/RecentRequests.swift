internal import DequeModule
internal import PushRules
internal import TextBasics
internal import WaypostSchema

/// The last requests of providers in one namespace, as a value; older ones are forgotten.
struct RecentRequests: Sendable {
    /// The maximum number of requests.
    static let capacity = 100

    private var deque: Deque<ProviderRequestRecord> = []

    /// The requests in the order in which they were added.
    var records: [ProviderRequestRecord] {
        Array(deque)
    }

    /// Adds a request.
    mutating func append(_ record: ProviderRequestRecord) {
        if deque.count == Self.capacity { deque.removeFirst() }
        deque.append(record)
    }

    /// Adds the response to the request with a number, unless the request is forgotten.
    mutating func add(_ response: ProviderResponse, to number: Int) {
        guard let index = deque.lastIndex(where: { $0.number == number }) else { return }
        deque[index].add(response)
    }
}

extension ProviderRequestRecord {
    /// Adds the response to the request.
    mutating func add(_ response: ProviderResponse) {
        status = response.status
        findings = response.findings.isEmpty ? nil : response.findings
        if case .refused(let refusal) = response.outcome { (reason, message) = (refusal.reason, refusal.message) }
        // The `apns-id` of a refused request can be any text.
        if response.id.isCanonicalUUID { id = NotificationID(rawValue: response.id) }
    }
}
