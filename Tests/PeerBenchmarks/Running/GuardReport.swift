import Foundation

/// The printed table of the guard of speed.
enum GuardReport {
    /// Returns the table, with verdicts if there are stored ratios.
    static func table(_ lines: [Line], _ stored: StoredRatios?, rounds: Int, seconds: Double) -> String {
        let header = row("work", "peer", "waypost µs", "peer µs", "ratio", "spread", "stored", "verdict")
        return """
            \(([header] + lines.map { row($0, stored) }).joined(separator: "\n"))

            µs      processor time of the server for each notification, the least of \(rounds) rounds.
            spread  the smallest and the largest ratio of a round. Less is better.

            Measured in \(String(format: "%.0f", seconds)) s on: \(Machine.kind)
            """
    }

    private static func row(_ line: Line, _ stored: StoredRatios?) -> String {
        let ratio = stored?.ratio(of: line)
        return row(
            line.name,
            line.peer,
            micros(line.waypost.values.least),
            micros(line.reference.values.least),
            Report.ratio(line.ratio.value),
            "\(Report.ratio(line.ratio.smallest))–\(Report.ratio(line.ratio.largest))",
            ratio.map { Report.ratio($0.value) } ?? "none",
            ratio.map { line.ratio.isWorse(than: $0, for: line.unit) ? "worse" : "good" } ?? "not compared"
        )
    }

    private static func micros(_ value: Double) -> String {
        String(format: "%.2f", value)
    }

    private static func row(_ columns: String...) -> String {
        Report.row(columns, widths: [-58, -13, 11, 9, 7, 12, 8, 14])
    }
}
