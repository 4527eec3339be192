internal import DequeModule
internal import PushRules
internal import TextBasics
internal import WaypostSchema

/// The last requests of providers in one namespace, as a value; older ones are forgotten.
struct RecentRequests: Sendable {
    /// The default maximum number of requests.
    static let standardCapacity = 100

    private let capacity: Int

    /// The requests; their numbers ascend.
    private var deque: Deque<ProviderRequestRecord> = []

    /// Creates the state without requests.
    init(capacity: Int = RecentRequests.standardCapacity) {
        self.capacity = capacity
    }

    /// The requests in the order in which they were added.
    var records: [ProviderRequestRecord] {
        Array(deque)
    }

    /// Adds a request.
    mutating func append(_ record: ProviderRequestRecord) {
        if deque.count == capacity { deque.removeFirst() }
        deque.append(record)
    }

    /// Adds the response to the request with a number, unless the request is forgotten.
    mutating func add(_ response: ProviderResponse, to number: Int, at time: Timestamp) {
        // There may be many requests, and the response may be late.
        var (low, high) = (deque.startIndex, deque.endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if deque[middle].number < number { low = middle + 1 } else { high = middle }
        }
        guard low < deque.endIndex, deque[low].number == number else { return }
        deque[low].add(response, at: time)
    }
}

extension ProviderRequestRecord {
    /// Adds the response to the request, and its time.
    mutating func add(_ response: ProviderResponse, at time: Timestamp) {
        answeredAt = time
        status = response.status
        findings = response.findings.isEmpty ? nil : response.findings
        if case .refused(let refusal) = response.outcome { (reason, message) = (refusal.reason, refusal.message) }
        // The `apns-id` of a refused request can be any text.
        if response.id.isCanonicalUUID { id = NotificationID(rawValue: response.id) }
    }
}
