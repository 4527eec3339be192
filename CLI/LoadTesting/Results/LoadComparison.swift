internal import Fleets
internal import Foundation

/// The comparison of two results: which figures differ, and whether that is more than chance and a tolerance.
package struct LoadComparison: Sendable, Equatable {
    /// A figure of both results.
    package struct Figure: Sendable, Equatable {
        /// The name, such as `delivered.p99`.
        package var name: String

        /// The value in the first result.
        package var before: Double

        /// The value in the second result.
        package var after: Double

        /// The change in proportion to the value before; `nil` if that is 0.
        package var change: Double?

        /// The half of the confidence interval of the change (95%), from the seconds; `nil` if there are too few.
        package var uncertainty: Double?

        /// Whether the second result is worse, by more than the tolerance and the uncertainty.
        package var isWorse: Bool
    }

    /// The figures.
    package let figures: [Figure]

    /// Compares two results.
    ///
    /// - Parameters:
    ///   - before: the first result.
    ///   - after: the second result.
    ///   - tolerance: the change that is accepted, from 0: 0.05 is five percent.
    package init(_ before: LoadResult, _ after: LoadResult, tolerance: Double) {
        let rate = Self.figure(
            "achievedRate",
            before.achievedRate,
            after: after.achievedRate,
            tolerance: tolerance,
            moreIsBetter: true,
            samplesBefore: Self.samples(before) { Double($0.accepted) },
            samplesAfter: Self.samples(after) { Double($0.accepted) }
        )
        let p99 = Self.figure(
            "delivered.p99",
            before.delivered.p99,
            after: after.delivered.p99,
            tolerance: tolerance,
            moreIsBetter: false,
            samplesBefore: Self.samples(before, \.p99),
            samplesAfter: Self.samples(after, \.p99)
        )
        let p50 = Self.figure(
            "delivered.p50",
            before.delivered.p50,
            after: after.delivered.p50,
            tolerance: tolerance,
            moreIsBetter: false,
            samplesBefore: Self.samples(before, \.p50),
            samplesAfter: Self.samples(after, \.p50)
        )
        let counts = [
            Self.countFigure("lost", before.lost, after: after.lost),
            Self.countFigure("duplicated", before.duplicated, after: after.duplicated),
            Self.countFigure("reordered", before.reordered, after: after.reordered),
        ]
        figures = [rate, p50, p99] + counts
    }

    /// Compares counts of something that must not happen.
    private static func countFigure(_ name: String, _ before: Int, after: Int) -> Figure {
        let change = before > 0 ? (Double(after) - Double(before)) / Double(before) : nil
        return Figure(
            name: name,
            before: Double(before),
            after: Double(after),
            change: change,
            isWorse: after > before
        )
    }

    /// Whether a figure of the second result is worse.
    package var isWorse: Bool {
        figures.contains(where: \.isWorse)
    }

    private static func samples(_ result: LoadResult, _ value: (LoadSecond) -> Double?) -> [Double] {
        // The last second of a load that was interrupted is a part of one.
        let end = result.run.duration.rounded(.down)
        return result.seconds.filter { $0.second >= 0 && Double($0.second) < end && $0.offered > 0 }.compactMap(value)
    }

    private static func figure(
        _ name: String,
        _ before: Double,
        after: Double,
        tolerance: Double,
        moreIsBetter: Bool,
        samplesBefore: [Double],
        samplesAfter: [Double]
    ) -> Figure {
        let change = before > 0 ? (after - before) / before : nil
        let uncertainty = before > 0 ? halfConfidenceInterval(samplesBefore, samplesAfter).map { $0 / before } : nil
        let deterioration = (moreIsBetter ? -1 : 1) * (change ?? (after > before ? 1 : 0))
        return Figure(
            name: name,
            before: before,
            after: after,
            change: change,
            uncertainty: uncertainty,
            isWorse: deterioration > tolerance && deterioration > (uncertainty ?? 0)
        )
    }

    /// The half of the 95% interval of the difference of two means (Welch), or `nil` with fewer than five samples each.
    private static func halfConfidenceInterval(_ first: [Double], _ second: [Double]) -> Double? {
        guard first.count >= 5, second.count >= 5 else { return nil }
        let errors = [first, second].map { samples -> Double in
            let mean = samples.reduce(0, +) / Double(samples.count)
            let squares = samples.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
            return squares / Double(samples.count - 1) / Double(samples.count)
        }
        // The quantile of the t distribution for few samples; 1.96 for many.
        let degreesOfFreedom = Double(min(first.count, second.count) - 1)
        return (1.96 + 2.4 / degreesOfFreedom) * (errors[0] + errors[1]).squareRoot()
    }
}
