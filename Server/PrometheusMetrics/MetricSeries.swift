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
        [TextFormat.sample(name, labels, value: value.withLock { $0 })]
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
        [TextFormat.sample(name, labels, value: value.withLock { $0 })]
    }
}

/// A histogram: the numbers of values up to each bound, the number of all values, and their sum; timers record seconds.
final class HistogramSeries: MetricSeries, RecorderHandler, TimerHandler {
    private struct Values {
        /// The numbers of values in each bucket, between a bound and the one before; the last bucket is above all
        /// bounds.
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
        let bucket = bounds.firstIndex { value <= $0 } ?? bounds.count
        values.withLock { values in
            values.counts[bucket] += 1
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
            return TextFormat.sample(name + "_bucket", labels, value: Double(total), bound: bound)
        }
        lines.append(TextFormat.sample(name + "_sum", labels, value: values.sum))
        lines.append(TextFormat.sample(name + "_count", labels, value: Double(total)))
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

    /// The labels in ascending order of names; each name occurs once.
    let labels: [Label]

    /// Creates labels from the dimensions of swift-metrics; of two with the same name, the first is used.
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

/// Names that the Prometheus data model allows: `[a-zA-Z_:][a-zA-Z0-9_:]*` for metrics, and the same without colons for
/// labels.
enum MetricName {
    /// Returns the allowed metric name that is nearest to `name`.
    static func metric(_ name: String) -> String {
        sanitized(name) { $0 == ":" }
    }

    /// Returns the allowed label name that is nearest to `name`; `le` is reserved for histograms.
    static func label(_ name: String) -> String {
        let label = sanitized(name) { _ in false }
        return label == "le" ? "le_" : label
    }

    private static func sanitized(_ name: String, allowing isAllowed: (Character) -> Bool) -> String {
        // Every measurement names its metric and labels, and nearly all of these are as simple as this.
        if !name.isEmpty, name.utf8.allSatisfy({ isLowercaseLetter($0) || $0 == UInt8(ascii: "_") }) { return name }
        let allowedName = String(
            name.map { $0.isASCII && ($0.isLetter || $0.isNumber || isAllowed($0)) ? $0 : "_" }
        )
        return allowedName.first.map { !$0.isNumber } == true ? allowedName : "_" + allowedName
    }

    private static func isLowercaseLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }
}
