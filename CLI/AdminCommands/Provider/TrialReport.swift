internal import Foundation
internal import Scenarios
internal import TextReports
internal import WaypostSchema

/// The results of trials as text for people.
enum TrialReport {
    /// Returns the line of a result and, if it failed, what went wrong and what to do.
    ///
    /// - Parameters:
    ///   - result: the result.
    ///   - width: the width of the column of names.
    /// - Returns: the lines.
    static func text(_ result: ProviderTrialResult, width: Int) -> String {
        let mark =
            switch result.outcome {
            case .passed: "✓"
            case .failed: "✗"
            case .notShown: "–"
            }
        let name = result.trial.padding(toLength: max(width, result.trial.count), withPad: " ", startingAt: 0)
        return (["\(mark) \(name)  \(result.summary)"] + explanation(of: result).map { "    \($0)" })
            .joined(separator: "\n")
    }

    /// Returns the first wrong request, the rule with its source, and the advice; nothing for a trial that did not fail.
    static func explanation(of result: ProviderTrialResult) -> [String] {
        guard result.outcome == .failed else { return [] }
        let request = result.request.map { ["First wrong request: \(text($0))"] } ?? []
        return request + ["Rule: \(result.rule) (\(result.source))", "What to do: \(result.advice)"]
    }

    /// Returns the last line: how many trials have which outcome.
    ///
    /// - Parameters:
    ///   - results: the results of the trials that have ended.
    ///   - total: the number of trials, if the run may have been interrupted.
    /// - Returns: the line.
    static func summary(_ results: [ProviderTrialResult], of total: Int? = nil) -> String {
        let counts = ProviderTrialResult.Outcome.allCases.map { outcome in
            (outcome, results.count { $0.outcome == outcome })
        }
        let parts = counts.filter { $0.1 > 0 }.map { "\($0.1) \(name(of: $0.0))" }
        let total = total ?? results.count
        let trials = total == 1 ? "1 trial" : "\(total) trials"
        if results.count < total {
            return (["✗ interrupted: \(results.count) of \(trials)"] + parts).joined(separator: ", ")
        }
        return "\(hasPassed(results) ? "✓" : "✗") \(trials): " + parts.joined(separator: ", ")
    }

    /// Whether no trial failed and at least one passed.
    static func hasPassed(_ results: [ProviderTrialResult]) -> Bool {
        results.contains { $0.outcome == .passed } && !results.contains { $0.outcome == .failed }
    }

    /// Returns results in the XML format of JUnit.
    static func junit(_ results: [ProviderTrialResult]) -> String {
        JUnitReport.text(
            results.map { result in
                JUnitCase(
                    suite: "waypost provider test",
                    name: result.trial,
                    duration: .milliseconds(result.milliseconds),
                    problem: problem(of: result)
                )
            }
        )
    }

    private static func problem(of result: ProviderTrialResult) -> JUnitCase.Problem? {
        switch result.outcome {
        case .passed: nil
        case .failed:
            .failed(result.summary, text: ([result.summary] + explanation(of: result)).joined(separator: "\n"))
        case .notShown: .skipped(result.summary)
        }
    }

    private static func name(of outcome: ProviderTrialResult.Outcome) -> String {
        switch outcome {
        case .passed: "passed"
        case .failed: "failed"
        case .notShown: "not shown"
        }
    }

    private static func text(_ request: ProviderRequestRecord) -> String {
        let answer = request.status.map { "\($0)" + (request.reason.map { " \($0)" } ?? "") } ?? "no answer"
        let parts = [
            "number \(request.number) at \(request.at.shortText)", request.token.map { "token \($0.shortText)" },
            request.connection.map { "connection \($0)" }, request.providerToken.map { "provider token \($0)" },
            answer,
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}
