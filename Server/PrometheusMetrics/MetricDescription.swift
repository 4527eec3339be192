/// A description of a metric for the readers of a scrape.
package struct MetricDescription: Sendable, Equatable {
    /// The meaning of a metric's values.
    package enum Kind: Sendable, Equatable {
        /// A count that only grows.
        case counter

        /// A value that goes up and down.
        case gauge

        /// The numbers of values that are at most each of these bounds, which ascend.
        case histogram(bounds: [Double])
    }

    /// The metric's name.
    package var name: String

    /// A sentence that describes the metric.
    package var help: String

    /// The meaning of its values.
    package var kind: Kind

    /// Creates the value from its parts.
    package init(_ name: String, _ kind: Kind, help: String) {
        self.name = name
        self.kind = kind
        self.help = help
    }
}

extension MetricDescription.Kind {
    /// A histogram of durations in seconds: half a millisecond to ten seconds.
    package static let seconds: Self = .histogram(
        bounds: [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
    )

    /// A histogram of counts: one to a hundred thousand.
    package static let counts: Self = .histogram(
        bounds: [1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000]
    )

    /// The bounds of a histogram; empty for other kinds.
    var bounds: [Double] {
        if case .histogram(let bounds) = self { bounds } else { [] }
    }

    /// Returns whether both are counters, both gauges or both histograms.
    func isOfSameType(as other: Self) -> Bool {
        typeName == other.typeName
    }

    /// The type's name in the text format.
    var typeName: String {
        switch self {
        case .counter: "counter"
        case .gauge: "gauge"
        case .histogram: "histogram"
        }
    }
}
