internal import ArgumentParser
internal import Foundation
internal import GatewayClient
internal import TextReports

/// The `waypost metrics` command, which shows the metrics of a gateway.
struct MetricsCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "metrics",
        abstract: "Show the metrics of a gateway that are not 0.",
        discussion: """
            For histograms, the table has the number of observations, and limits that half (p50) and 99% (p99) of them \
            do not exceed. --raw prints what Prometheus gets.
            """
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @Flag(help: "Print the metrics in the text format of Prometheus, unchanged.")
    var raw = false

    @Argument(help: "Only metrics whose names contain this text.")
    var name: String?

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        let text = try await gateway.withClient { client in try await client.metrics() }
        guard !raw else { return try StandardOutput.write(text) }
        let series = MetricsDigest(text).series.filter { series in
            series.value != 0 && name.map(series.name.contains) ?? true
        }
        try output.write(series) { series in
            guard !series.isEmpty else { return "There are no such metrics." }
            let rows = series.map { series in
                [
                    series.name, series.labels.sorted { $0.key < $1.key }.map(\.value).joined(separator: " "),
                    Self.text(series.value), series.p50.map(Self.text) ?? "", series.p99.map(Self.text) ?? "",
                ]
            }
            return TextTable(header: ["Metric", "Labels", "Value", "p50", "p99"], rows: rows)
        }
    }

    /// Returns a number with as many digits as people read.
    private static func text(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15
            ? String(Int(value)) : value.formatted(.number.precision(.significantDigits(1...4)).grouping(.never))
    }
}
