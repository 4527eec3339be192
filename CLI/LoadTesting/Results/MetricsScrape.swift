internal import GatewayClient

/// The values in a gateway's `/metrics` that reports show.
struct MetricsScrape: Sendable, Equatable {
    private let digest: MetricsDigest

    /// The histogram of the times of commits.
    private static let commitHistogram = "waypost_commit_duration_seconds"

    /// The gauges of queues, with their names in reports.
    private static let queueGauges = [
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
        let commitCount = increase(Self.commitHistogram)
        let queues = Self.queueGauges.map { name, gauge in (name, Int(digest.sum(of: gauge))) }
        return GatewaySecond(
            cpu: seconds > 0 ? increase("process_cpu_seconds_total") / seconds : 0,
            memory: Int(digest.sum(of: "process_resident_memory_bytes")),
            sync: commitCount > 0
                ? digest.sumOfObservations(Self.commitHistogram, since: earlier.digest) / commitCount * 1_000 : nil,
            queues: Dictionary(queues) { first, _ in first }
        )
    }
}
