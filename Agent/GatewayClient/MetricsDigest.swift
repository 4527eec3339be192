internal import Foundation

/// The metrics of a gateway, read from Prometheus' text format.
package struct MetricsDigest: Sendable, Equatable {
    /// A value with its labels, or the distribution of a histogram.
    package struct Series: Encodable, Sendable, Equatable {
        /// The name of the metric.
        package let name: String

        /// The labels; empty if there are none.
        package let labels: [String: String]

        /// The value, or the number of observations of a histogram.
        package var value: Double

        /// The limit below which half of the observations of a histogram are, in its unit.
        package var p50: Double?

        /// The limit below which 99 of 100 observations of a histogram are, in its unit.
        package var p99: Double?
    }

    /// The sums of the observations of histograms, by name.
    private var sums: [String: Double] = [:]

    /// The counts of a histogram, each with its upper limit.
    private typealias Buckets = [(limit: Double, count: Double)]

    /// The series, in the order of the text.
    package private(set) var series: [Series] = []

    /// Parses the text; other lines than samples are ignored.
    package init(_ text: String) {
        var buckets: [String: Buckets] = [:]
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            guard let (name, labels, value) = Self.parseSample(line) else { continue }
            if name.hasSuffix("_bucket"), let limit = labels["le"].flatMap(Self.number) {
                let rest = labels.filter { $0.key != "le" }
                buckets[Self.key(String(name.dropLast("_bucket".count)), rest), default: []].append((limit, value))
            } else if name.hasSuffix("_count"), case let name = String(name.dropLast("_count".count)), sums[name] != nil
            {
                // A histogram without buckets is a sum and a count.
                let histogram = buckets[Self.key(name, labels)] ?? []
                series.append(
                    Series(
                        name: name,
                        labels: labels,
                        value: value,
                        p50: Self.limit(of: 0.5, in: histogram),
                        p99: Self.limit(of: 0.99, in: histogram)
                    )
                )
            } else if name.hasSuffix("_sum") {
                sums[String(name.dropLast("_sum".count)), default: 0] += value
            } else {
                series.append(Series(name: name, labels: labels, value: value))
            }
        }
    }

    private static func key(_ name: String, _ labels: [String: String]) -> String {
        name + labels.sorted { $0.key < $1.key }.map { "\u{0}\($0.key)\u{0}\($0.value)" }.joined()
    }

    /// Returns the upper limit of the bucket with the observation that is above a share of all.
    private static func limit(of share: Double, in buckets: Buckets) -> Double? {
        guard let total = buckets.last?.count, total > 0 else { return nil }
        let limit = buckets.first { $0.count >= share * total }?.limit
        return limit.flatMap { $0.isFinite ? $0 : nil }
    }

    private static func number(_ string: String) -> Double? {
        string == "+Inf" ? .infinity : Double(string)
    }

    /// Parses a line such as `name{label="value"} 3`.
    private static func parseSample(_ line: Substring) -> (String, [String: String], Double)? {
        guard let separator = line.lastIndex(of: " "),
            let value = number(String(line[line.index(after: separator)...]))
        else { return nil }
        let series = line[..<separator]
        guard let brace = series.firstIndex(of: "{") else { return (String(series), [:], value) }
        var labels: [String: String] = [:]
        for match in series[brace...].matches(of: #/([a-zA-Z_]+)="((?:[^"\\]|\\.)*)"/#) {
            labels[String(match.1)] = String(match.2)
                .replacing("\\n", with: " ").replacing("\\\"", with: "\"").replacing("\\\\", with: "\\")
        }
        return (String(series[..<brace]), labels, value)
    }

    /// Returns the sum of all series with a name; of a histogram, the number of observations.
    package func sum(of name: String) -> Double {
        series.lazy.filter { $0.name == name }.reduce(0) { $0 + $1.value }
    }

    /// Returns the sums of the series with a name, by the value of a label.
    package func sums(of name: String, by label: String) -> [String: Double] {
        series.lazy.filter { $0.name == name }.reduce(into: [:]) { $0[$1.labels[label] ?? "", default: 0] += $1.value }
    }

    /// Returns the sum of the observations of a histogram since an earlier scrape.
    package func sumOfObservations(_ name: String, since earlier: Self) -> Double {
        (sums[name] ?? 0) - (earlier.sums[name] ?? 0)
    }
}
