internal import Fleets
internal import Foundation
internal import SchemaFiles

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
            let names = Self.countNames + ["delivered.p99"]
            throw LoadValueError("'\(figure)' is no figure of a result; figures: \(names.joined(separator: ", "))")
        }
        guard let limit = Double(value) ?? (isLatency ? DurationText.milliseconds(in: value).map(Double.init) : nil)
        else {
            let accepted = isLatency ? "a time such as 50ms" : "a number"
            throw LoadValueError("'\(value)' is no limit of '\(figure)'; use \(accepted)")
        }
        (self.text, self.figure, self.comparison, self.limit) = (text, figure, comparison, limit)
    }

    /// Returns whether a result meets the objective.
    package func evaluate(_ result: LoadResult) -> ObjectiveResult {
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
        let latency =
            figure.hasPrefix("accepted")
            ? result.accepted : figure.hasPrefix("delivered") ? result.delivered : result.acknowledged
        switch figure.split(separator: ".").last {
        case "p50": return latency.p50
        case "p90": return latency.p90
        case "p99": return latency.p99
        case "p999": return latency.p999
        default: return latency.max
        }
    }
}
