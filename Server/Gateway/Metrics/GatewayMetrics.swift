internal import CoreMetrics
internal import GatewayStore
internal import HTTPTypes
internal import PrometheusMetrics
internal import WaypostSchema

/// The gateway's metrics.
///
/// Their names, labels and meanings are in `MetricDescription.gateway` and docs/metrics.md.
struct GatewayMetrics: Sendable {
    let factory: PrometheusMetrics
    let topicLabels = BoundedLabels()

    /// Reasons are APNs' own, except for those of injected faults, which are arbitrary.
    let reasonLabels = BoundedLabels()
    let inboxes = InboxGauges()
    let connections: [ProviderProtocol: Meter]
    private let stateCounters: [DeliveryState: Counter]
    private let sentNotifications: Counter
    private let redeliveredNotifications: Counter
    private let receivedBytes: Counter
    private let inflatedBytes: Counter
    private let commitItems: Recorder
    private let commitDuration: Timer

    /// Creates metrics that `factory` shows.
    init(_ factory: PrometheusMetrics = PrometheusMetrics()) {
        factory.describe(MetricDescription.gateway)
        self.factory = factory
        stateCounters = Dictionary(
            uniqueKeysWithValues: DeliveryState.allCases.map { state in
                (state, Counter(.states, [("state", state.rawValue)], factory: factory))
            }
        )
        connections = Dictionary(
            uniqueKeysWithValues: ProviderProtocol.allCases.map { name in
                (name, Meter(.providerConnections, [("protocol", name.alpnName)], factory: factory))
            }
        )
        sentNotifications = Counter(.sent, [], factory: factory)
        redeliveredNotifications = Counter(.redelivered, [], factory: factory)
        receivedBytes = Counter(.receivedBytes, [], factory: factory)
        inflatedBytes = Counter(.inflatedBytes, [], factory: factory)
        commitItems = Recorder(.commitItems, factory)
        commitDuration = Timer(.commitDuration, [], factory: factory)
    }

    /// Counts the notifications of a batch that were not refused, by push type and topic.
    func recordAccepted(_ notifications: [NewNotification], _ refusals: [StoreRefusal?]) {
        // A copy of each whole notification would take longer than counting it.
        let accepted = notifications.indices.lazy.filter { refusals[$0] == nil }.map { index in
            AcceptedLabels(topic: notifications[index].topic, pushType: notifications[index].pushType)
        }
        for (kind, count) in Tally(accepted).counts {
            let labels = [("push_type", kind.pushType.rawValue), ("topic", topicLabels.label(kind.topic.rawValue))]
            Counter(.accepted, labels, factory: factory).increment(by: count)
        }
    }

    /// The label of injected answers without a reason.
    static let noReason: RejectionReason = "none"

    /// Counts items that were not accepted, by reason.
    func recordRejected(_ reasons: some Sequence<RejectionReason>) {
        for (reason, count) in Tally(reasons).counts {
            Counter(.rejected, [("reason", reasonLabels.label(reason.rawValue))], factory: factory).increment(by: count)
            recordNotifications(count, in: .rejected)
        }
    }

    /// Counts notifications that entered `state`.
    func recordNotifications(_ count: Int = 1, in state: DeliveryState) {
        stateCounters[state]?.increment(by: count)
    }

    /// Counts notifications that were written to streams, including those that were written before.
    func recordSent(_ count: Int, redelivered redeliveredCount: Int) {
        sentNotifications.increment(by: count)
        redeliveredNotifications.increment(by: redeliveredCount)
        recordNotifications(count - redeliveredCount, in: .sent)
    }

    /// Counts the bytes of a body, as sent and inflated.
    func recordBody(receivedBytes: Int, inflatedBytes: Int) {
        self.receivedBytes.increment(by: receivedBytes)
        self.inflatedBytes.increment(by: inflatedBytes)
    }

    /// Counts a transaction of the store.
    func record(_ commit: CommitReport) {
        if let error = commit.error {
            Counter(.commitFailures, [("error", error.name)], factory: factory).increment()
        } else if commit.hasWrites {
            commitItems.record(commit.itemCount)
            commitDuration.record(duration: commit.duration)
        }
    }
}

/// The labels of accepted notifications.
private struct AcceptedLabels: Hashable {
    var topic: Topic
    var pushType: PushType
}

/// The number of occurrences of each element; runs of equal elements, as in large batches, cost one comparison per
/// element.
private struct Tally<Element: Hashable> {
    private(set) var counts: [Element: Int] = [:]

    init(_ elements: some Sequence<Element>) {
        var run: (element: Element, count: Int)?
        for element in elements {
            if run?.element == element {
                run?.count += 1
            } else {
                add(run)
                run = (element, 1)
            }
        }
        add(run)
    }

    private mutating func add(_ run: (element: Element, count: Int)?) {
        if let run { counts[run.element, default: 0] += run.count }
    }
}

extension GatewayMetrics {
    /// Counts a request with an injected fault.
    func recordFault(_ fault: SendFault) {
        Counter(.providerFaults, [("kind", fault.kind.rawValue)], factory: factory).increment()
    }
}

extension GatewayMetrics {
    /// Counts a request to the service listener.
    ///
    /// - Parameters:
    ///   - method: its method; a nonstandard method counts as `other`.
    ///   - route: the pattern of the path that handled it, or `nil` if none did.
    ///   - status: the status of the response.
    ///   - duration: the time until the response.
    func recordRequest(
        _ method: HTTPRequest.Method,
        _ route: String?,
        status: HTTPResponse.Status,
        duration: Duration
    ) {
        let name = Self.methods.contains(method) ? method.rawValue : BoundedLabels.other
        // The web framework has its own names for paths that match no pattern.
        let pattern = route.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? BoundedLabels.other
        let labels = [("method", name), ("route", pattern)]
        Counter(.requests, labels + [("status", "\(status.code)")], factory: factory).increment()
        Timer(.requestDuration, labels, factory: factory).record(duration: duration)
    }

    /// The methods of RFC 9110 and RFC 5789.
    private static let methods: Set<HTTPRequest.Method> = [
        .get, .head, .post, .put, .delete, .connect, .options, .trace, .patch,
    ]
}

extension ProviderProtocol {
    /// The ALPN name (RFC 9113, section 3.1; RFC 7301, section 6).
    fileprivate var alpnName: String {
        switch self {
        case .http2: "h2"
        case .http1: "http/1.1"
        }
    }
}
