internal import CoreMetrics
internal import Synchronization

/// The values of one name and one set of labels.
protocol MetricSeries: AnyObject, Sendable {
    /// Returns the lines in the text format.
    func lines(_ name: String, _ labels: MetricLabels) -> [String]
}

/// A count that only grows; amounts that are negative or not finite are ignored.
final class CounterSeries: MetricSeries, CounterHandler, FloatingPointCounterHandler {
    // A double is exact for whole numbers up to 2^53, which is enough.
    private let value = Mutex(0.0)

    func increment(by amount: Int64) {
        increment(by: Double(amount))
    }

    func increment(by amount: Double) {
        guard amount > 0, amount.isFinite else { return }
        value.withLock { $0 += amount }
    }

    func reset() {
        value.withLock { $0 = 0 }
    }

    func lines(_ name: String, _ labels: MetricLabels) -> [String] {
        [TextFormat.sampleLine(name, labels, value: value.withLock { $0 })]
    }
}

/// A value that goes up and down.
final class GaugeSeries: MetricSeries, MeterHandler, RecorderHandler {
    private let value = Mutex(0.0)

    func set(_ value: Int64) {
        set(Double(value))
    }

    func set(_ value: Double) {
        self.value.withLock { $0 = value }
    }

    func increment(by amount: Double) {
        value.withLock { $0 += amount }
    }

    func decrement(by amount: Double) {
        value.withLock { $0 -= amount }
    }

    func record(_ value: Int64) {
        set(value)
    }

    func record(_ value: Double) {
        set(value)
    }

    func lines(_ name: String, _ labels: MetricLabels) -> [String] {
        [TextFormat.sampleLine(name, labels, value: value.withLock { $0 })]
    }
}

/// A histogram: the numbers of values up to each bound, the number of all values, and their sum; timers record seconds.
final class HistogramSeries: MetricSeries, RecorderHandler, TimerHandler {
    private struct Values {
        /// The number of values in each bucket, between a bound and the one before; the last bucket is above all
        /// bounds.
        var bucketCounts: [Int]
        var sum = 0.0
    }

    private let bounds: [Double]
    private let values: Mutex<Values>

    init(bounds: [Double]) {
        self.bounds = bounds
        values = Mutex(Values(bucketCounts: Array(repeating: 0, count: bounds.count + 1)))
    }

    func record(_ value: Int64) {
        record(Double(value))
    }

    func record(_ value: Double) {
        guard value.isFinite else { return }
        let bucketIndex = bounds.firstIndex { value <= $0 } ?? bounds.count
        values.withLock { values in
            values.bucketCounts[bucketIndex] += 1
            values.sum += value
        }
    }

    func recordNanoseconds(_ duration: Int64) {
        record(Double(duration) / 1_000_000_000)
    }

    func lines(_ name: String, _ labels: MetricLabels) -> [String] {
        let values = values.withLock { $0 }
        var cumulativeCount = 0
        var lines = zip(bounds + [.infinity], values.bucketCounts).map { bound, count in
            cumulativeCount += count
            return TextFormat.sampleLine(name + "_bucket", labels, value: Double(cumulativeCount), bound: bound)
        }
        lines.append(TextFormat.sampleLine(name + "_sum", labels, value: values.sum))
        lines.append(TextFormat.sampleLine(name + "_count", labels, value: Double(cumulativeCount)))
        return lines
    }
}
