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
