internal import Fleets
internal import Foundation
internal import LoadTesting
internal import TextReports
internal import WaypostSchema

extension LoadResult {
    /// The result for people.
    var report: TextReport {
        var report = TextReport(tables: [counts, latencies], sentences: warnings.map { "Warning: \($0)" })
        if !errors.isEmpty {
            let rows = errors.sorted { $0.value > $1.value }.map { [$0.key, "\($0.value)"] }
            report.tables.append(TextTable(header: ["Error", "Notifications"], rows: rows))
        }
        if !objectives.isEmpty {
            let rows = objectives.map { [$0.objective, $0.actual, $0.isMet ? "met" : "missed"] }
            report.tables.append(TextTable(header: ["Objective", "Actual", ""], rows: rows))
        }
        if !lostIDs.isEmpty {
            let lines = lostIDs.prefix(Self.maximumRows).map { "lost: \($0.rawValue)" }
            let unlistedCount = lost - lines.count
            report.sentences.append(
                (lines + (unlistedCount > 0 ? ["and \(unlistedCount) more; --format json has up to 1,000"] : []))
                    .joined(separator: "\n")
            )
        }
        return report
    }

    private static let maximumRows = 10

    private var counts: TextTable {
        let rows = [
            ["offered", "\(offered)", Self.rate(offeredRate)], ["achieved", "\(achieved)", Self.rate(achievedRate)],
            ["late starts", "\(lateStarts)", ""], ["lost", "\(lost)", ""], ["duplicated", "\(duplicated)", ""],
            ["reordered", "\(reordered)", ""],
        ]
        return TextTable(header: ["Count", "", ""], rows: rows)
    }

    private var latencies: TextTable {
        let rows = [("accepted", accepted), ("delivered", delivered), ("acknowledged", acknowledged)].map {
            name,
            latency in
            [name, "\(latency.count)"]
                + [latency.p50, latency.p90, latency.p99, latency.p999, latency.max].map { String(format: "%.2f", $0) }
        }
        return TextTable(header: ["Milliseconds", "Count", "p50", "p90", "p99", "p99.9", "max"], rows: rows)
    }

    private static func rate(_ rate: Double) -> String {
        String(format: "%.0f per second", rate)
    }
}

extension LoadComparison {
    /// The comparison as a table for people.
    var table: String {
        let rows = figures.map { figure in
            [
                figure.name, Self.text(figure.before), Self.text(figure.after),
                figure.change.map(Self.percent) ?? "",
                figure.uncertainty.map { "±\(Self.percent($0).dropFirst())" } ?? "",
                figure.isWorse ? "worse" : "",
            ]
        }
        return TextTable(header: ["Figure", "Before", "After", "Change", "95%", ""], rows: rows).text
    }

    private static func text(_ value: Double) -> String {
        value == value.rounded() ? "\(Int(value))" : String(format: "%.2f", value)
    }

    private static func percent(_ share: Double) -> String {
        String(format: "%+.1f%%", share * 100)
    }
}
