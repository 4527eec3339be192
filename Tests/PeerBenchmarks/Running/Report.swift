import Foundation

/// The printed table.
enum Report {
    static let header =
        row(
            "work",
            "Waypost",
            "peer",
            "",
            "ratio",
            "spread",
            "server µs",
            "peer µs",
            "client",
            "peer",
            "sync µs",
            "load"
        )

    static let footnotes = """

        ratio      the median of the rounds; the spread is the smallest and the largest. For times and memory less is better.
        server µs  processor time of the server for each item.
        client     the share of the time for which the client's single thread ran or waited for a processor. In the rest of
                   the time it waited for the server. A * marks more than 90 %: there the client limits the figure.
        sync µs    the median of fdatasync after 4 KiB, before the line was measured; load is the load average after it.
        """

    static func row(_ line: Line) -> String {
        row(
            line.name,
            text(line.waypost.value, line.unit),
            line.peer,
            text(line.reference.value, line.unit),
            ratio(line.ratio.value),
            "\(ratio(line.ratio.smallest))–\(ratio(line.ratio.largest))",
            micros(line.waypost.serverMicrosecondsPerItem),
            micros(line.reference.serverMicrosecondsPerItem),
            share(line.waypost.clientShare),
            share(line.reference.clientShare),
            String(format: "%.0f", line.syncMicroseconds),
            String(format: "%.1f", line.load)
        )
    }

    /// Prints immediately, even if the output is not a terminal.
    static func say(_ text: String) {
        FileHandle.standardOutput.write(Data("\(text)\n".utf8))
    }

    private static func text(_ value: Double, _ unit: Quantity.Unit) -> String {
        switch unit {
        case .perSecond: "\(Int(value))/s"
        case .milliseconds: String(format: "%.2f ms", value)
        case .processorMicroseconds: String(format: "%.2f µs", value)
        case .nanoseconds: String(format: value < 1_000 ? "%.1f ns" : "%.0f ns", value)
        case .bytes: "\(Int(value)) B"
        }
    }

    static func ratio(_ value: Double) -> String {
        String(format: value < 0.1 ? "%.3f" : value < 10 ? "%.2f" : "%.1f", value)
    }

    private static func micros(_ value: Double?) -> String {
        value.map { String(format: "%.1f", $0) } ?? ""
    }

    private static func share(_ value: Double?) -> String {
        value.map { String(format: "%.0f %%", $0 * 100) + ($0 > 0.9 ? "*" : "") } ?? ""
    }

    private static func row(_ columns: String...) -> String {
        row(columns, widths: [-50, 11, -24, 11, 7, 13, 10, 8, 7, 7, 8, 6])
    }

    /// Returns a row of columns, which are aligned to the left if the width is negative.
    static func row(_ columns: [String], widths: [Int]) -> String {
        zip(columns, widths).map { column, width in
            let padding = String(repeating: " ", count: max(0, abs(width) - column.count))
            return width < 0 ? "  " + column + padding : padding + column
        }.joined()
    }
}
