import Foundation

/// An axis of a chart: its ticks, and the position of each value on it.
struct ChartAxis {
    struct Tick {
        /// The position on the axis, from 0 to 1.
        let position: Double
        let label: String
    }

    let ticks: [Tick]

    private let unclampedPosition: (Double) -> Double

    private init(ticks: [Double], label: (Double) -> String, unclampedPosition: @escaping (Double) -> Double) {
        self.ticks = ticks.map { Tick(position: Self.clamped(unclampedPosition($0)), label: label($0)) }
        self.unclampedPosition = unclampedPosition
    }

    /// Returns the position of a value, from 0 to 1; the nearest end of the axis if the value is not on the axis.
    func position(of value: Double) -> Double {
        Self.clamped(unclampedPosition(value))
    }

    private static func clamped(_ position: Double) -> Double {
        position.isNaN ? 0 : min(max(position, 0), 1)
    }
}

extension ChartAxis {
    /// Returns an axis from zero to a little more than `largest`.
    static func fromZero(to largest: Double, wholeNumbers: Bool, label: (Double) -> String) -> ChartAxis {
        let step = max(roundStep(atLeast: largest / 5), wholeNumbers ? 1 : 0)
        let top = max(largest * 1.04, step)
        let ticks = (0...5).map { Double($0) * step }.filter { $0 <= top }
        return ChartAxis(ticks: ticks, label: label) { $0 / top }
    }

    /// Returns a logarithmic axis that has room for values from `smallest` to `largest`, both more than zero.
    static func logarithmic(from smallest: Double, to largest: Double, label: (Double) -> String) -> ChartAxis {
        let exponents = Int(log10(smallest).rounded(.down))...Int(log10(largest).rounded(.up))
        let allRoundValues = exponents.flatMap { exponent in [1, 2, 5].map { $0 * pow(10, Double(exponent)) } }
        let bottom = allRoundValues.last { $0 <= smallest } ?? smallest
        let top = allRoundValues.first { $0 >= largest } ?? largest
        let roundValues = allRoundValues.filter { $0 >= bottom && $0 <= top }
        let powersOfTen = roundValues.filter { log10($0).rounded() == log10($0) }
        let ticks =
            roundValues.count > 6
            ? stride(from: 0, to: powersOfTen.count, by: powersOfTen.count / 8 + 1).map { powersOfTen[$0] }
            : roundValues
        return ChartAxis(ticks: ticks, label: label) {
            (log10(max($0, bottom)) - log10(bottom)) / (log10(top) - log10(bottom))
        }
    }

    /// Returns an axis for latencies in milliseconds, and whether it is logarithmic because they differ very much.
    static func latencies(_ values: [Double], label: (Double) -> String) -> (axis: ChartAxis, isLogarithmic: Bool) {
        let largest = values.max() ?? 0
        guard let smallest = values.filter({ $0 > 0 }).min(), largest > 100 * smallest else {
            return (fromZero(to: largest, wholeNumbers: false, label: label), false)
        }
        return (logarithmic(from: smallest, to: largest, label: label), true)
    }

    /// Returns an axis for times in seconds.
    static func time(from start: Double, to end: Double) -> ChartAxis {
        let minimumStep = (end - start) / 7
        let steps: [Double] = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200]
        let step = steps.first { $0 >= minimumStep } ?? 3_600 * roundStep(atLeast: minimumStep / 3_600)
        let first = (start / step).rounded(.up)
        let ticks = (0...7).map { (first + Double($0)) * step }.filter { $0 <= end }
        let label = { FigureText.duration($0, granularity: step) }
        return ChartAxis(ticks: ticks, label: label) { ($0 - start) / (end - start) }
    }

    /// Returns an axis for 1/(1 − percentile), so that it shows the rare values of `count` values as clearly as the rest.
    static func percentiles(of count: Double) -> ChartAxis {
        // More than a million values would leave too little room for the labels on a phone.
        let decades = min(max(log10(count), 1), 6)
        let ticks = (0...4).map { pow(10, Double($0)) }.filter { log10($0) <= decades }
        let label = { (tick: Double) in "\(FigureText.roundNumber(100 - 100 / tick))%" }
        return ChartAxis(ticks: ticks, label: label) { log10($0) / decades }
    }

    private static func roundStep(atLeast smallest: Double) -> Double {
        guard smallest > 0 else { return 1 }
        let power = pow(10, log10(smallest).rounded(.down))
        return ([1, 2, 5].first { $0 * power >= smallest } ?? 10) * power
    }
}
