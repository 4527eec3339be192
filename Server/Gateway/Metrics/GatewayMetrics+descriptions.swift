internal import CoreMetrics
internal import PrometheusMetrics

/// The names of the gateway's metrics.
enum MetricLabel: String, CaseIterable {
    case accepted = "waypost_notifications_accepted_total"
    case rejected = "waypost_notifications_rejected_total"
    case states = "waypost_notification_states_total"
    case sent = "waypost_notifications_sent_total"
    case redelivered = "waypost_notifications_redelivered_total"
    case inboxNotifications = "waypost_inbox_notifications"
    case inboxAge = "waypost_inbox_oldest_age_seconds"
    case gateways = "waypost_gateways"
    case sessions = "waypost_sessions_open"
    case openingSessions = "waypost_sessions_opening"
    case endingSessions = "waypost_sessions_ending"
    case unacknowledged = "waypost_notifications_unacknowledged"
    case providerConnections = "waypost_provider_connections_open"
    case providerFaults = "waypost_provider_faults_total"
    case intakeBatches = "waypost_intake_batches"
    case intakeBytes = "waypost_intake_bytes"
    case receivedBytes = "waypost_batch_received_bytes_total"
    case inflatedBytes = "waypost_batch_inflated_bytes_total"
    case commitQueue = "waypost_commit_queue_items"
    case commitItems = "waypost_commit_items"
    case commitDuration = "waypost_commit_duration_seconds"
    case commitFailures = "waypost_commit_failures_total"
    case storeSize = "waypost_store_size_bytes"
    case requests = "waypost_http_requests_total"
    case requestDuration = "waypost_http_request_duration_seconds"
}

extension MetricDescription {
    /// The descriptions of the gateway's metrics.
    static let gateway = MetricLabel.allCases.map { MetricDescription($0.rawValue, $0.kind, help: $0.help) }
}

extension MetricLabel {
    fileprivate var kind: MetricDescription.Kind {
        switch self {
        case .accepted, .rejected, .states, .sent, .redelivered, .receivedBytes, .inflatedBytes, .commitFailures,
            .providerFaults, .requests:
            .counter
        case .inboxNotifications, .inboxAge, .gateways, .sessions, .openingSessions, .endingSessions,
            .providerConnections, .unacknowledged, .intakeBatches, .intakeBytes, .commitQueue, .storeSize:
            .gauge
        case .commitItems: .counts
        case .commitDuration, .requestDuration: .seconds
        }
    }

    fileprivate var help: String {
        switch self {
        case .accepted: "Accepted notifications, by push type and topic."
        case .rejected: "Rejected notifications, by reason."
        case .states: "Notifications that entered a state, by state."
        case .sent: "Notifications written to streams; each write counts."
        case .redelivered: "Notifications written to streams again."
        case .inboxNotifications: "Notifications in inboxes, by namespace."
        case .inboxAge: "Age of the oldest notification in an inbox in seconds, by namespace and on its clock."
        case .gateways: "Gateways on the store, as this one knows."
        case .sessions: "Open event streams."
        case .openingSessions: "Event streams that are being opened, or wait for that."
        case .endingSessions: "Event streams that have closed and whose ends are not in the store."
        case .unacknowledged: "Unacknowledged notifications that were sent on open streams."
        case .providerConnections: "Open connections of providers, by protocol."
        case .providerFaults: "Provider requests with an injected fault, by kind."
        case .intakeBatches: "Batches in progress."
        case .intakeBytes: "Memory that is reserved for batches, their answers and the bodies of requests, in bytes."
        case .receivedBytes: "Bytes of the bodies of batches, as sent."
        case .inflatedBytes: "Bytes of the bodies of batches, inflated."
        case .commitQueue: "Items that wait for the store to write them."
        case .commitItems: "Items per transaction of the store."
        case .commitDuration: "Duration of a transaction of the store in seconds, including its sync."
        case .commitFailures: "Failed transactions of the store, by error."
        case .storeSize: "Size of the database of the store in bytes."
        case .requests: "Requests to the service listener, by method, route and status."
        case .requestDuration: "Seconds until the service listener answered a request, by method and route."
        }
    }
}

extension Counter {
    convenience init(_ label: MetricLabel, _ dimensions: [(String, String)], factory: PrometheusMetrics) {
        self.init(label: label.rawValue, dimensions: dimensions, factory: factory)
    }
}

extension Meter {
    convenience init(_ label: MetricLabel, _ dimensions: [(String, String)], factory: PrometheusMetrics) {
        self.init(label: label.rawValue, dimensions: dimensions, factory: factory)
    }
}

extension Recorder {
    convenience init(_ label: MetricLabel, _ factory: PrometheusMetrics) {
        self.init(label: label.rawValue, dimensions: [], aggregate: true, factory: factory)
    }
}

extension Timer {
    convenience init(_ label: MetricLabel, _ dimensions: [(String, String)], factory: PrometheusMetrics) {
        self.init(label: label.rawValue, dimensions: dimensions, factory: factory)
    }

    func record(duration: Duration) {
        let (seconds, attoseconds) = duration.components
        recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}
