internal import CoreMetrics
internal import PrometheusMetrics

/// The names of what the gateway counts.
enum MetricLabel: String, CaseIterable {
    case accepted = "waypost_notifications_accepted_total"
    case rejected = "waypost_notifications_rejected_total"
    case states = "waypost_notification_states_total"
    case sent = "waypost_notifications_sent_total"
    case redelivered = "waypost_notifications_redelivered_total"
    case inboxNotifications = "waypost_inbox_notifications"
    case inboxAge = "waypost_inbox_oldest_age_seconds"
    case sessions = "waypost_sessions_open"
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
    case requests = "waypost_http_requests_total"
    case requestDuration = "waypost_http_request_duration_seconds"
}

extension MetricDescription {
    /// What the gateway counts.
    static let gateway = MetricLabel.allCases.map { MetricDescription($0.rawValue, $0.kind, help: $0.help) }
}

extension MetricLabel {
    fileprivate var kind: MetricDescription.Kind {
        switch self {
        case .accepted, .rejected, .states, .sent, .redelivered, .receivedBytes, .inflatedBytes, .commitFailures,
            .providerFaults, .requests:
            .counter
        case .inboxNotifications, .inboxAge, .sessions, .providerConnections, .unacknowledged, .intakeBatches,
            .intakeBytes, .commitQueue:
            .gauge
        case .commitItems: .sizes
        case .commitDuration, .requestDuration: .seconds
        }
    }

    fileprivate var help: String {
        switch self {
        case .accepted: "Notifications that were accepted, by push type and topic."
        case .rejected: "Items of batches that were not accepted, by reason."
        case .states: "Notifications that came into a state, by state."
        case .sent: "Notifications that were written to streams, every time counted."
        case .redelivered: "Notifications that were written to streams and had been before."
        case .inboxNotifications: "Notifications that are in inboxes, by namespace."
        case .inboxAge: "Seconds since the oldest notification in an inbox was accepted, by namespace and its clock."
        case .sessions: "Event streams that are open."
        case .unacknowledged: "Notifications that were sent on open streams and are not acknowledged."
        case .providerConnections: "Connections of providers that are open, by protocol."
        case .providerFaults: "Sends of providers that took a fault that was asked for, by kind."
        case .intakeBatches: "Batches that are being taken in."
        case .intakeBytes: "Bytes that the batches that are being taken in have inflated to."
        case .receivedBytes: "Bytes of the bodies of batches, as they were sent."
        case .inflatedBytes: "Bytes of the bodies of batches, inflated."
        case .commitQueue: "Items that wait to be written by the store."
        case .commitItems: "Items that one transaction of the store carried."
        case .commitDuration: "Seconds that a transaction of the store took, with its sync."
        case .commitFailures: "Transactions of the store that failed, by error."
        case .requests: "Requests to the service listener, by method, route and status."
        case .requestDuration: "Seconds until a request to the service listener was answered, by method and route."
        }
    }
}

extension Counter {
    convenience init(_ label: MetricLabel, _ dimensions: [(String, String)], _ factory: PrometheusMetrics) {
        self.init(label: label.rawValue, dimensions: dimensions, factory: factory)
    }
}

extension Meter {
    convenience init(_ label: MetricLabel, _ dimensions: [(String, String)], _ factory: PrometheusMetrics) {
        self.init(label: label.rawValue, dimensions: dimensions, factory: factory)
    }
}

extension Recorder {
    convenience init(_ label: MetricLabel, _ factory: PrometheusMetrics) {
        self.init(label: label.rawValue, dimensions: [], aggregate: true, factory: factory)
    }
}

extension Timer {
    convenience init(_ label: MetricLabel, _ dimensions: [(String, String)], _ factory: PrometheusMetrics) {
        self.init(label: label.rawValue, dimensions: dimensions, factory: factory)
    }

    func record(duration: Duration) {
        let (seconds, attoseconds) = duration.components
        recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}
