internal import DequeModule
internal import PushRules
internal import TextBasics
internal import WaypostSchema

/// The last requests of providers in one namespace, as a value; older ones are forgotten.
///
/// The oldest ones have no headers and bodies if those of all requests would be too large together.
struct RecentRequests: Sendable {
    /// The default maximum number of requests.
    static let standardCapacity = 100

    /// The default maximum size of all headers and bodies, in bytes.
    static let standardContentCapacity = 64 << 20

    private let capacity: Int
    private let contentCapacity: Int

    /// The requests; their numbers ascend.
    private var deque: Deque<ProviderRequestRecord> = []

    /// The size of all headers and bodies.
    private var contentSize = 0

    /// The number of the oldest requests that have lost their headers and bodies.
    private var emptiedCount = 0

    /// Creates the state without requests.
    ///
    /// - Parameters:
    ///   - capacity: the maximum number of requests.
    ///   - contentCapacity: the maximum size of all headers and bodies, in bytes.
    init(
        capacity: Int = RecentRequests.standardCapacity,
        contentCapacity: Int = RecentRequests.standardContentCapacity
    ) {
        self.capacity = capacity
        self.contentCapacity = contentCapacity
    }

    /// The requests in the order in which they were added.
    var records: [ProviderRequestRecord] {
        Array(deque)
    }

    /// Adds a request.
    mutating func append(_ record: ProviderRequestRecord) {
        if deque.count == capacity {
            contentSize -= deque.removeFirst().contentSize
            emptiedCount = max(emptiedCount - 1, 0)
        }
        deque.append(record)
        contentSize += record.contentSize
        while contentSize > contentCapacity, emptiedCount < deque.count {
            contentSize -= deque[emptiedCount].contentSize
            deque[emptiedCount].headers = nil
            deque[emptiedCount].body = nil
            emptiedCount += 1
        }
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
    /// The size of the headers and the body, in bytes.
    fileprivate var contentSize: Int {
        let fields = headers?.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
        return (fields ?? 0) + (body?.utf8.count ?? 0)
    }

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
