internal import Fleets

/// A search for the highest rate at which a load test meets its objectives.
///
/// The rate doubles until the objectives are not met, and then the search halves the interval between the highest rate
/// that met them and the lowest that did not, until the interval is small. A test that does not offer its rate in time,
/// or whose notifications do not all arrive, does not meet its rate either.
package struct RateSearch: Sendable {
    /// The interval at which the search ends, in proportion to the rate.
    private static let precision = 0.05

    /// The share of the offered rate that the gateway must accept.
    private static let minimumAchievedShare = 0.98

    private static let maximumRuns = 16

    private let baseSettings: LoadSettings
    private let firstRate: Double

    /// The highest rate that met the objectives.
    private var metRate: Double?

    /// The lowest rate that did not meet the objectives.
    private var missedRate: Double?

    /// The outcome at each rate so far, a line each.
    package private(set) var outcomes: [String] = []

    /// The result at the highest rate that met the objectives; before, that at the lowest rate that did not.
    package private(set) var bestResult: LoadResult?

    /// Creates a search that begins at the rate of a test.
    ///
    /// - Parameter settings: the settings of the test.
    /// - Throws: `LoadOptions.Problem` if the test has no constant rate.
    package init(_ settings: LoadSettings) throws(LoadOptions.Problem) {
        guard let segments = settings.schedule?.segments, segments.count == 1,
            segments[0].startRate == segments[0].endRate
        else {
            throw LoadOptions.Problem(
                option: .rate,
                message: "a search needs a constant rate to begin with, such as 1000"
            )
        }
        baseSettings = settings
        firstRate = segments[0].startRate
    }

    /// The next rate, or `nil` at the end.
    package var nextRate: Double? {
        guard outcomes.count < Self.maximumRuns else { return nil }
        switch (metRate, missedRate) {
        case (nil, nil): return firstRate
        case (let metRate?, nil): return metRate * 2
        // If even the first rate is too high, the search goes down.
        case (nil, let missedRate?): return missedRate > 2 ? missedRate / 2 : nil
        case (let metRate?, let missedRate?):
            return (missedRate - metRate) > Self.precision * metRate ? (metRate + missedRate) / 2 : nil
        }
    }

    /// Returns the settings of the test at a rate.
    package func settings(at rate: Double) -> LoadSettings {
        var settings = baseSettings
        settings.schedule = LoadSchedule(
            [LoadSchedule.Segment(seconds: baseSettings.seconds, startRate: rate, endRate: rate)],
            isRandom: baseSettings.schedule?.isRandom ?? false
        )
        return settings
    }

    /// Records the result of a test at the rate `nextRate`.
    package mutating func record(_ result: LoadResult) {
        guard let rate = nextRate else { return }
        let reasons = Self.reasons(against: result)
        if reasons.isEmpty {
            metRate = rate
            bestResult = result
        } else {
            missedRate = rate
            if metRate == nil { bestResult = result }
        }
        let outcome = reasons.isEmpty ? "met" : reasons.joined(separator: ", ")
        outcomes.append("\(Int(rate.rounded())) per second: \(outcome)")
    }

    /// Returns the reasons why a result does not meet its rate.
    private static func reasons(against result: LoadResult) -> [String] {
        var reasons = result.objectives.filter { !$0.isMet }.map { "\($0.objective) is \($0.actual)" }
        if result.achievedRate < minimumAchievedShare * result.offeredRate {
            reasons.append("only \(Int(result.achievedRate)) per second were accepted")
        }
        if result.lost > 0, !reasons.contains(where: { $0.hasPrefix("lost") }) {
            reasons.append("\(result.lost) did not arrive in time")
        }
        if result.undelivered.isEmpty, result.acknowledged.count < result.achieved {
            reasons.append("\(result.achieved - result.acknowledged.count) were not acknowledged in time")
        }
        return reasons
    }
}
