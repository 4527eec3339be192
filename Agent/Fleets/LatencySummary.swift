package import Histogram

/// The distribution of a latency, in milliseconds.
package struct LatencySummary: Codable, Sendable, Equatable {
    /// The number of measurements.
    package var count = 0

    /// The median.
    package var p50 = 0.0

    /// The 90th percentile.
    package var p90 = 0.0

    /// The 99th percentile.
    package var p99 = 0.0

    /// The 99.9th percentile.
    package var p999 = 0.0

    /// The largest value.
    package var max = 0.0

    /// The values of an HdrHistogram with three significant digits in microseconds, each with its count, ascending.
    package var histogram: [[Int]] = []

    /// Creates an empty distribution.
    package init() {}

    /// Creates the distribution of a histogram of microseconds.
    package init(_ histogram: Histogram<UInt64>) {
        guard histogram.totalCount > 0 else { return }
        func milliseconds(_ percentile: Double) -> Double {
            Double(histogram.valueAtPercentile(percentile)) / 1_000
        }
        count = Int(histogram.totalCount)
        p50 = milliseconds(50)
        p90 = milliseconds(90)
        p99 = milliseconds(99)
        p999 = milliseconds(99.9)
        max = Double(histogram.max) / 1_000
        self.histogram = histogram.recordedValues().map { [Int($0.value), Int($0.count)] }
    }
}
