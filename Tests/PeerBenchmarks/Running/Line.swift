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
                    ratio: Ratio(samples[0].map { $0.values[index] }, reference.map { $0.values[index] }),
                    syncMicroseconds: sync,
                    load: load
                )
            }
        }
    }
}

/// The ratio of Waypost's value to that of a peer, and its spread over the rounds.
struct Ratio: Codable, Equatable {
    var median: Double
    var smallest: Double
    var largest: Double

    init(_ values: [Double], _ references: [Double]) {
        let ratios = zip(values, references).map { $0 / $1 }.sorted()
        (median, smallest, largest) = (ratios.median, ratios.first ?? .nan, ratios.last ?? .nan)
    }

    /// Whether this ratio is worse than a stored one by 15 %, and outside of the stored spread.
    func isWorse(than stored: Self, isHigherBetter: Bool) -> Bool {
        isHigherBetter
            ? median < stored.median * 0.85 && median < stored.smallest
            : median > stored.median * 1.15 && median > stored.largest
    }
}
