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

/// The labels of one series, by name.
struct MetricLabels: Hashable, Comparable, Sendable {
    /// A label.
    struct Label: Hashable, Sendable {
        var name: String
        var value: String
    }

    /// The labels, ascending by name, each name once.
    let labels: [Label]

    /// Makes labels of what swift-metrics calls dimensions; of two with one name the first counts.
    init(_ dimensions: [(String, String)]) {
        var names: Set<String> = []
        labels =
            dimensions
            .map { Label(name: MetricName.label($0.0), value: $0.1) }
            .filter { names.insert($0.name).inserted }
            .sorted { $0.name < $1.name }
    }

    static func < (left: Self, right: Self) -> Bool {
        left.labels.lexicographicallyPrecedes(right.labels) { ($0.name, $0.value) < ($1.name, $1.value) }
    }
}

/// Names as the data model of Prometheus allows them: `[a-zA-Z_:][a-zA-Z0-9_:]*` for metrics, the same without colons for
/// labels.
enum MetricName {
    /// Returns the metric's name that is nearest to `text`.
    static func metric(_ text: String) -> String {
        legal(text) { $0 == ":" }
    }

    /// Returns the label's name that is nearest to `text`; `le` belongs to histograms.
    static func label(_ text: String) -> String {
        let name = legal(text) { _ in false }
        return name == "le" ? "le_" : name
    }

    private static func legal(_ text: String, allowing isAllowed: (Character) -> Bool) -> String {
        let name = String(
            text.map { $0.isASCII && ($0.isLetter || $0.isNumber || isAllowed($0)) ? $0 : "_" }
        )
        return name.first.map { !$0.isNumber } == true ? name : "_" + name
    }
}
