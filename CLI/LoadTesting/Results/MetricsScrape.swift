internal import GatewayClient

/// The values in a gateway's `/metrics` that reports show.
struct MetricsScrape: Sendable, Equatable {
    private let digest: MetricsDigest

    /// The histogram of the times of commits.
    private static let commits = "waypost_commit_duration_seconds"

    /// The gauges of queues, with their names in reports.
    private static let queues = [
        ("commit queue", "waypost_commit_queue_items"), ("intake batches", "waypost_intake_batches"),
        ("unacknowledged", "waypost_notifications_unacknowledged"),
    ]

    /// Parses Prometheus' text format.
    init(_ text: String) {
        digest = MetricsDigest(text)
    }

    /// Returns the changes between an earlier scrape and this one.
    func change(since earlier: Self, seconds: Double) -> GatewaySecond {
        func increase(_ name: String) -> Double {
            digest.sum(of: name) - earlier.digest.sum(of: name)
        }
        let commits = increase(Self.commits)
        let queues = Self.queues.map { ($0.0, Int(digest.sum(of: $0.1))) }
        return GatewaySecond(
            cpu: seconds > 0 ? increase("process_cpu_seconds_total") / seconds : 0,
            memory: Int(digest.sum(of: "process_resident_memory_bytes")),
            sync: commits > 0 ? digest.sumOfObservations(Self.commits, since: earlier.digest) / commits * 1_000 : nil,
            queues: Dictionary(queues) { first, _ in first }
        )
    }
}
