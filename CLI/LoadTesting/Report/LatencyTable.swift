internal import Fleets

/// The table of the latencies until a notification was accepted, delivered and acknowledged.
struct LatencyTable {
    private let columns: [(name: String, latency: LatencySummary)]

    init(_ result: LoadResult) {
        columns = [
            ("accepted", result.accepted), ("delivered", result.delivered), ("acknowledged", result.acknowledged),
        ]
    }

    // The stages are columns, so that the table fits a phone.
    var html: HTML {
        let headerCells: [HTML] = columns.map { "<th scope=\"col\"><i class=\"key \($0.name)\"></i>\($0.name)</th>" }
        return """
            <table>
            <thead><tr><td></td>\(headerCells)</tr></thead>
            <tbody>
            \(row("count") { .figure("\($0).count", $1.count) })
            \(row("p50") { figure("\($0).p50", $1.p50, of: $1) })
            \(row("p90") { figure("\($0).p90", $1.p90, of: $1) })
            \(row("p99") { figure("\($0).p99", $1.p99, of: $1) })
            \(row("p99.9") { figure("\($0).p999", $1.p999, of: $1) })
            \(row("max") { figure("\($0).max", $1.max, of: $1) })
            </tbody>
            </table>
            """
    }

    private func row(_ name: String, cell: (String, LatencySummary) -> HTML) -> HTML {
        let cells: [HTML] = columns.map { "<td>\(cell($0.name, $0.latency))</td>" }
        return "<tr><th scope=\"row\">\(name)</th>\(cells)</tr>"
    }

    private func figure(_ name: String, _ value: Double, of latency: LatencySummary) -> HTML {
        .figure(name, value, text: latency.count == 0 ? "–" : FigureText.milliseconds(value))
    }
}
