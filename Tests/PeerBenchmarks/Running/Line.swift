/// A line of the report: a figure of Waypost beside that of a peer.
struct Line: Codable {
    /// The median values of a subject.
    struct Figures: Codable {
        var value: Double
        var values: [Double]
        var serverMicrosecondsPerItem: Double?
        var clientShare: Double?

        init(_ samples: [Sample], _ quantity: Int) {
            values = samples.map { $0.values[quantity] }
            value = values.median
            serverMicrosecondsPerItem = Self.median(samples.compactMap(\.serverMicros))
            clientShare = Self.median(samples.compactMap(\.clientShare))
        }

        private static func median(_ values: [Double]) -> Double? {
            values.isEmpty ? nil : values.median
        }
    }

    let name: String
    let peer: String
    let unit: Quantity.Unit
    let waypost: Figures
    let reference: Figures
    let ratio: Ratio

    /// The median of a sync before the comparison, in microseconds, and the load average after it.
    let syncMicroseconds: Double
    let load: Double

    /// The key of the line among the stored ratios.
    var key: String { "\(name), to \(peer)" }

    /// Returns the lines of a comparison, one for each figure and peer.
    static func all(_ comparison: Comparison, _ samples: [[Sample]], sync: Double, load: Double) -> [Line] {
        comparison.quantities.enumerated().flatMap { index, quantity in
            zip(comparison.subjects, samples).dropFirst().map { peer, reference in
                Line(
                    name: comparison.name + (quantity.name.isEmpty ? "" : ", \(quantity.name)"),
                    peer: peer.name,
                    unit: quantity.unit,
                    waypost: Figures(samples[0], index),
                    reference: Figures(reference, index),
                    ratio: Ratio(
                        samples[0].map { $0.values[index] },
                        reference.map { $0.values[index] },
                        unit: quantity.unit
                    ),
                    syncMicroseconds: sync,
                    load: load
                )
            }
        }
    }
}

/// The ratio of Waypost's value to that of a peer, and its spread over the rounds.
///
/// A stored one is that of several runs: `value` is the median of theirs, and the spread is that of all their rounds.
struct Ratio: Codable, Equatable {
    /// The maximum number of runs that a stored ratio remembers.
    private static let maximumRunCount = 9

    var value: Double
    var smallest: Double
    var largest: Double

    /// The values of the runs, the newest last; `nil` for a single run.
    var runs: [Double]?

    /// Creates the median of the ratios of the rounds or, for processor time, the ratio of the least values.
    ///
    /// Other programs only add to processor time, because they take caches away. So the least value is the best one.
    init(_ values: [Double], _ references: [Double], unit: Quantity.Unit) {
        let ratios = zip(values, references).map { $0 / $1 }
        (smallest, largest) = (ratios.min() ?? .nan, ratios.max() ?? .nan)
        value = unit == .processorMicroseconds ? values.least / references.least : ratios.median
    }

    /// Returns this stored ratio with a further run.
    ///
    /// Two machines of one kind differ by more than two runs on one of them, so a single run is no measure of a kind.
    func adding(_ run: Self) -> Self {
        var result = self
        let values = Array(((runs ?? [value]) + [run.value]).suffix(Self.maximumRunCount))
        result.runs = values
        result.value = values.median
        (result.smallest, result.largest) = (min(smallest, run.smallest), max(largest, run.largest))
        return result
    }

    /// Returns the limit beyond which a later ratio is worse than this stored one.
    ///
    /// It is 15 % from the stored one and, unless the quantity is processor time, outside of the spread, which other
    /// programs of a machine widen, and other machines of its kind.
    func limit(for unit: Quantity.Unit) -> Double {
        switch unit {
        case .perSecond: min(value * 0.85, smallest)
        case .processorMicroseconds: value * 1.15
        case .milliseconds, .nanoseconds, .bytes: max(value * 1.15, largest)
        }
    }

    /// Whether this ratio is beyond the limit of a stored one.
    func isWorse(than stored: Self, for unit: Quantity.Unit) -> Bool {
        unit.isHigherBetter ? value < stored.limit(for: unit) : value > stored.limit(for: unit)
    }
}
