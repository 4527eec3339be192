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
