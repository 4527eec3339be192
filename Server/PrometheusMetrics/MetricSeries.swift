internal import CoreMetrics
internal import Synchronization

/// The values under one name and one set of labels.
protocol MetricSeries: AnyObject, Sendable {
    /// Returns the lines of the text format.
    func lines(_ name: String, _ labels: MetricLabels) -> [String]
}

/// A count that only grows: what would take something away, or is no number, is passed over.
final class CounterSeries: MetricSeries, CounterHandler, FloatingPointCounterHandler {
    // Doubles are whole numbers up to 2^53, which is more than anybody counts.
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
        [TextFormat.sample(name, labels, value.withLock { $0 })]
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
        [TextFormat.sample(name, labels, value.withLock { $0 })]
    }
}

/// How many values were at most each of some bounds, how many there were at all, and their sum; a timer's are in seconds.
final class HistogramSeries: MetricSeries, RecorderHandler, TimerHandler {
    private struct Values {
        /// How many values are at most the bound of the same index and above the one before; then those above all.
        var counts: [Int]
        var sum = 0.0
    }

    private let bounds: [Double]
    private let values: Mutex<Values>

    init(bounds: [Double]) {
        self.bounds = bounds
        values = Mutex(Values(counts: Array(repeating: 0, count: bounds.count + 1)))
    }

    func record(_ value: Int64) {
        record(Double(value))
    }

    func record(_ value: Double) {
        guard value.isFinite else { return }
        let place = bounds.firstIndex { value <= $0 } ?? bounds.count
        values.withLock { values in
            values.counts[place] += 1
            values.sum += value
        }
    }

    func recordNanoseconds(_ duration: Int64) {
        record(Double(duration) / 1_000_000_000)
    }

    func lines(_ name: String, _ labels: MetricLabels) -> [String] {
        let values = values.withLock { $0 }
        var total = 0
        var lines = zip(bounds + [.infinity], values.counts).map { bound, count in
            total += count
            return TextFormat.sample(name + "_bucket", labels, Double(total), bound: bound)
        }
        lines.append(TextFormat.sample(name + "_sum", labels, values.sum))
        lines.append(TextFormat.sample(name + "_count", labels, Double(total)))
        return lines
    }
}
