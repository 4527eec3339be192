/// The values in a gateway's `/metrics`, as far as reports show them.
struct GatewayMetrics: Sendable, Equatable {
    private var values: [String: Double] = [:]

    /// The gauges of queues, with their names in reports.
    private static let queues = [
        ("commit queue", "waypost_commit_queue_items"), ("intake batches", "waypost_intake_batches"),
        ("unacknowledged", "waypost_notifications_unacknowledged"),
    ]

    /// Reads Prometheus' text format; series with labels are left out.
    init(_ text: String) {
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: " ")
            if parts.count == 2, !parts[0].contains("{"), let value = Double(parts[1]) {
                values[String(parts[0])] = value
            }
        }
    }

    /// Returns what happened between an earlier scrape and this one.
    func since(_ earlier: Self, seconds: Double) -> GatewaySecond {
        func growth(_ name: String) -> Double {
            (values[name] ?? 0) - (earlier.values[name] ?? 0)
        }
        let commits = growth("waypost_commit_duration_seconds_count")
        let queues = Self.queues.map { ($0.0, Int(values[$0.1] ?? 0)) }
        return GatewaySecond(
            cpu: seconds > 0 ? growth("process_cpu_seconds_total") / seconds : 0,
            memory: Int(values["process_resident_memory_bytes"] ?? 0),
            sync: commits > 0 ? growth("waypost_commit_duration_seconds_sum") / commits * 1_000 : nil,
            queues: Dictionary(queues) { first, _ in first }
        )
    }
}
