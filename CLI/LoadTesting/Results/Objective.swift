internal import Fleets
internal import Foundation
internal import SchemaFiles
internal import TextBasics

/// An objective of a load test (SLO), such as `lost=0` or `delivered.p99<50ms`.
package struct Objective: Sendable, Equatable {
    private enum ComparisonOperator: String, CaseIterable {
        // The longer ones first: '<' begins '<='.
        case atMost = "<="
        case atLeast = ">="
        case equal = "="
        case less = "<"
        case more = ">"

        func holds(_ actual: Double, limit: Double) -> Bool {
            switch self {
            case .atMost: actual <= limit
            case .atLeast: actual >= limit
            case .equal: actual == limit
            case .less: actual < limit
            case .more: actual > limit
            }
        }
    }

    private static let countNames = [
        "offered", "achieved", "lost", "duplicated", "reordered", "lateStarts", "errors", "offeredRate", "achievedRate",
    ]
    private static let latencyNames = ["accepted", "delivered", "acknowledged"]
    private static let percentileNames = ["p50", "p90", "p99", "p999", "max"]

    private let text: String
    private let figure: String
    private let comparison: ComparisonOperator
    private let limit: Double

    /// Creates the objective from text.
    ///
    /// - Throws: `LoadValueError`.
    package init(_ text: String) throws(LoadValueError) {
        guard let comparison = ComparisonOperator.allCases.first(where: { text.contains($0.rawValue) }),
            let range = text.range(of: comparison.rawValue)
        else { throw LoadValueError("'\(text)' compares nothing; use lost=0 or delivered.p99<50ms") }
        let figure = text[..<range.lowerBound].trimmingCharacters(in: .whitespaces)
        let value = text[range.upperBound...].trimmingCharacters(in: .whitespaces)
        let parts = figure.split(separator: ".").map(String.init)
        let isLatency =
            parts.count == 2 && Self.latencyNames.contains(parts[0]) && Self.percentileNames.contains(parts[1])
        guard isLatency || Self.countNames.contains(figure) else {
            throw LoadValueError("'\(figure)' is no figure of a result; \(Self.hint(for: figure))")
        }
        guard let limit = Double(value) ?? (isLatency ? DurationText.milliseconds(in: value).map(Double.init) : nil)
        else {
            let accepted = isLatency ? "a time such as 50ms" : "a number"
            throw LoadValueError("'\(value)' is no limit of '\(figure)'; use \(accepted)")
        }
        (self.text, self.figure, self.comparison, self.limit) = (text, figure, comparison, limit)
    }

    /// Returns why a result says nothing about a figure, or `nil` if it does: without notifications, nothing is late or
    /// lost, and nothing was tested.
    private static func untested(_ figure: String, in result: LoadResult) -> String? {
        if ["lost", "duplicated", "reordered"].contains(figure), result.achieved == 0 { return "nothing accepted" }
        guard let name = latencyNames.first(where: { figure.hasPrefix($0 + ".") }) else { return nil }
        return latency(name, in: result).count == 0 ? "nothing \(name)" : nil
    }

    private static func latency(_ name: String, in result: LoadResult) -> LatencySummary {
        switch name {
        case "accepted": result.accepted
        case "delivered": result.delivered
        default: result.acknowledged
        }
    }

    private static func hint(for figure: String) -> String {
        let latencies = latencyNames.flatMap { name in percentileNames.map { "\(name).\($0)" } }
        if let nearest = figure.nearest(among: countNames + latencies) { return "did you mean '\(nearest)'?" }
        return """
            figures: \(countNames.joined(separator: ", ")); and \(latencyNames.joined(separator: ", ")), each with \
            \(percentileNames.map { ".\($0)" }.joined(separator: ", "))
            """
    }

    /// Returns whether a result meets the objective.
    package func evaluate(_ result: LoadResult) -> ObjectiveResult {
        if let nothing = Self.untested(figure, in: result) {
            return ObjectiveResult(objective: text, actual: nothing, isMet: false)
        }
        let actual = Self.value(of: figure, in: result)
        let unit = figure.contains(".") ? "ms" : ""
        let rounded = (actual * 1_000).rounded() / 1_000
        let roundedText = rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
        return ObjectiveResult(
            objective: text,
            actual: roundedText + unit,
            isMet: comparison.holds(actual, limit: limit)
        )
    }

    private static func value(of figure: String, in result: LoadResult) -> Double {
        switch figure {
        case "offered": return Double(result.offered)
        case "achieved": return Double(result.achieved)
        case "lost": return Double(result.lost)
        case "duplicated": return Double(result.duplicated)
        case "reordered": return Double(result.reordered)
        case "lateStarts": return Double(result.lateStarts)
        case "errors": return Double(result.errors.values.reduce(0, +))
        case "offeredRate": return result.offeredRate
        case "achievedRate": return result.achievedRate
        default: break
        }
        let parts = figure.split(separator: ".").map(String.init)
        let latency = latency(parts[0], in: result)
        switch parts.last {
        case "p50": return latency.p50
        case "p90": return latency.p90
        case "p99": return latency.p99
        case "p999": return latency.p999
        default: return latency.max
        }
    }
}
