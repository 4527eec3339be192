/// What a metric is, for those who read a scrape.
package struct MetricDescription: Sendable, Equatable {
    /// What a metric's values mean.
    package enum Kind: Sendable, Equatable {
        /// A count that only grows.
        case counter

        /// A value that goes up and down.
        case gauge

        /// How many values were at most each of these bounds, which ascend.
        case histogram(bounds: [Double])
    }

    /// The metric's name.
    package var name: String

    /// A sentence that says what is counted.
    package var help: String

    /// What its values mean.
    package var kind: Kind

    /// Creates the value from its parts.
    package init(_ name: String, _ kind: Kind, help: String) {
        self.name = name
        self.kind = kind
        self.help = help
    }
}

extension MetricDescription.Kind {
    /// Bounds for the seconds that something takes: half a millisecond to ten seconds.
    package static let seconds: Self = .histogram(
        bounds: [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
    )

    /// Bounds for numbers of things: one to a hundred thousand.
    package static let sizes: Self = .histogram(
        bounds: [1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000]
    )

    /// The bounds of a histogram; none where it is something else.
    var bounds: [Double] {
        if case .histogram(let bounds) = self { bounds } else { [] }
    }

    /// Whether both are counters, both gauges or both histograms.
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
