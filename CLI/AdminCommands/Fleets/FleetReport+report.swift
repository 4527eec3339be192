internal import Fleets
internal import Foundation
internal import TextReports
internal import WaypostSchema

extension FleetReport {
    /// The report for people.
    var report: TextReport {
        let counts: [(String, Int?)] = [
            ("devices", devices), ("connected", connected), ("never connected", unreached), ("received", received),
            ("acknowledged", acknowledged),
            ("lost", lost), ("duplicated", duplicated), ("discarded", discarded), ("opened", opened),
            ("connections", connections), ("interruptions", interruptions), ("crashes", crashes),
            ("acknowledgements not sent", lostAcknowledgements), ("unreadable events", unreadable),
        ]
        // Counts of 0 are left out, except for those that every reader looks for.
        let requiredNames: Set = ["devices", "connected", "received", "acknowledged", "lost", "duplicated"]
        let rows = counts.filter { requiredNames.contains($0.0) || $0.1 != 0 }.map {
            [$0.0, $0.1.map(String.init) ?? "unknown"]
        }
        let latencies = [("connecting", connecting), ("acknowledging", acknowledging)].filter { $0.1.count > 0 }
        let tables = [
            TextTable(header: ["Count", ""], rows: rows),
            TextTable(header: ["Milliseconds", "p50", "p90", "p99", "p99.9", "max"], rows: latencies.map(Self.row)),
        ]
        return TextReport(
            tables: Array(tables.prefix(latencies.isEmpty ? 1 : 2)),
            sentences: lostIDs.prefix(20).map { "lost: \($0.rawValue)" }
        )
    }

    private static func row(_ name: String, _ latency: LatencySummary) -> [String] {
        [name] + [latency.p50, latency.p90, latency.p99, latency.p999, latency.max].map { String(format: "%.1f", $0) }
    }
}
