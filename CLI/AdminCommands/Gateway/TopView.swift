internal import Foundation
internal import GatewayClient
internal import TextReports
internal import WaypostSchema

/// The work of a gateway between two scrapes of its metrics, as a value.
struct TopView: Encodable, Equatable {
    /// The notifications that were accepted, sent and acknowledged, each second.
    let accepted: Double
    let sent: Double
    let acknowledged: Double

    /// The rejected notifications, each second, by reason; only reasons that occurred.
    let rejected: [String: Double]

    /// The notifications that entered another final state, each second, by state; only states that occurred.
    let ended: [String: Double]

    /// The notifications in inboxes, and those that were sent and are not acknowledged.
    let stored: Int
    let unacknowledged: Int

    /// The open event streams.
    let streams: Int

    /// The batches that are being read, and the items that wait to be committed.
    let intake: Int
    let queue: Int

    /// The mean time of a commit in milliseconds; `nil` if there was none.
    let commit: Double?

    /// The processor time in processors, and the memory in bytes.
    let processors: Double
    let memory: Int

    /// Creates the view of the time between two scrapes.
    ///
    /// - Parameters:
    ///   - before: the earlier scrape.
    ///   - after: the later scrape.
    ///   - seconds: the time between them.
    init(from before: MetricsDigest, to after: MetricsDigest, seconds: Double) {
        func rate(_ name: String) -> Double {
            max(0, after.sum(of: name) - before.sum(of: name)) / seconds
        }
        func rates(_ name: String, by label: String) -> [String: Double] {
            let earlier = before.sums(of: name, by: label)
            let increases = after.sums(of: name, by: label).map { ($0, ($1 - (earlier[$0] ?? 0)) / seconds) }
            return Dictionary(increases.filter { $0.1 > 0 }) { $1 }
        }
        accepted = rate("waypost_notifications_accepted_total")
        sent = rate("waypost_notifications_sent_total")
        rejected = rates("waypost_notifications_rejected_total", by: "reason")
        let states = rates("waypost_notification_states_total", by: "state")
        acknowledged = states[DeliveryState.acknowledged.rawValue] ?? 0
        ended = states.filter { state, _ in
            let state = DeliveryState(rawValue: state)
            return state?.isFinal == true && state != .acknowledged && state != .rejected
        }
        stored = Int(after.sum(of: "waypost_inbox_notifications"))
        unacknowledged = Int(after.sum(of: "waypost_notifications_unacknowledged"))
        streams = Int(after.sum(of: "waypost_sessions_open"))
        intake = Int(after.sum(of: "waypost_intake_batches"))
        queue = Int(after.sum(of: "waypost_commit_queue_items"))
        let commits = rate("waypost_commit_duration_seconds")
        commit =
            commits > 0
            ? after.sumOfObservations("waypost_commit_duration_seconds", since: before) / (commits * seconds) * 1_000
            : nil
        processors = rate("process_cpu_seconds_total")
        memory = Int(after.sum(of: "process_resident_memory_bytes"))
    }

    /// Returns the view as text.
    ///
    /// - Parameters:
    ///   - gateway: the URL of the gateway.
    ///   - health: its health.
    /// - Returns: the lines.
    func text(of gateway: String, _ health: Health) -> any TextPresentable {
        let rows = [
            ["accepted", Self.rate(accepted), "streams", "\(streams)"],
            ["sent", Self.rate(sent), "in inboxes", "\(stored)"],
            ["acknowledged", Self.rate(acknowledged), "unacknowledged", "\(unacknowledged)"],
            ["commit", commit.map { String(format: "%.1f ms", $0) } ?? "–", "commit queue", "\(queue)"],
            ["processors", String(format: "%.2f", processors), "batches being read", "\(intake)"],
            ["memory", "\(memory >> 20) MiB", "gateways", "\(health.gateways?.count ?? 1)"],
        ]
        var parts: [any TextPresentable] = [
            "\(gateway)  \(health.status)  \(health.store ?? "")  (Ctrl-C ends)",
            TextTable(header: ["Rate", "", "Amount", ""], rows: rows),
        ]
        let errors = rejected.merging(ended) { $0 + $1 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        if !errors.isEmpty {
            let rows = errors.map { [$0.key, Self.rate($0.value)] }
            parts.append("")
            parts.append(TextTable(header: ["Rejected, or ended otherwise", ""], rows: rows) { _, _ in .yellow })
        }
        return TextParts(parts)
    }

    private static func rate(_ value: Double) -> String {
        value < 10 && value > 0 ? String(format: "%.1f/s", value) : "\(Int(value.rounded()))/s"
    }
}
