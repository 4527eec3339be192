internal import Attribution
package import SchemaFiles
internal import TextBasics
internal import TextReports
internal import WaypostSchema

/// The results of scenarios as text for people.
package enum ScenarioReport {
    /// Returns the line of a step, and either the expected values that are not in the line, or the details of a failure.
    package static func text(_ step: StepResult) -> String {
        let mark =
            switch step.outcome {
            case .passed: "✓"
            case .failed: "✗"
            case .skipped: "·"
            case .updated: "↻"
            }
        let summary = step.summary.map { $0.isEmpty ? "" : ": \($0)" } ?? ""
        let line = "  \(mark) \(step.text)\(summary)".safe(for: .terminal)
        guard let failure = step.failure else {
            let expected = step.expected.map { ($0.key, $0.text.safe(for: .terminal)) }
                .filter { !Self.keysInLine.contains($0.0) || !line.contains($0.1) }
            return ([line] + expected.map { "      \($0): \($1)" }).joined(separator: "\n")
        }
        return line + "\n" + text(failure, at: step.place)
    }

    /// The keys of expectations whose values the line of a step usually has.
    private static let keysInLine: Set<String> = ["delivered", "reason", "scene"]

    /// Returns a failure: the place, the differences side by side, and the explanation.
    package static func text(_ failure: StepFailure, at place: SourcePlace?) -> String {
        var parts = ["\(place.map { "\($0): " } ?? "")\(failure.message)".safe(for: .terminal)]
        if !failure.differences.isEmpty {
            let rows = failure.differences.flatMap(rows)
            parts.append(TextTable(header: ["", "Expected", "Got"], rows: rows).text)
        }
        if let explanation = failure.explanation { parts.append(explanation.safe(for: .terminalLines)) }
        return parts.map { $0.indented(by: 6) }.joined(separator: "\n\n") + "\n"
    }

    /// Returns a difference as rows: a list has one row for each element.
    private static func rows(_ difference: StepFailure.Difference) -> [[String]] {
        func lines(_ text: String) -> [String] {
            text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        }
        let (expected, actual) = (lines(difference.expected), lines(difference.actual))
        return (0..<max(expected.count, actual.count)).map { index in
            [
                index == 0 ? difference.field : "", index < expected.count ? expected[index] : "",
                index < actual.count ? actual[index] : "",
            ]
        }
    }

    /// Returns the end of a scenario: a failure that belongs to no step, and the folder with its files.
    package static func ending(_ result: ScenarioResult) -> String? {
        var lines: [String] = []
        if let failure = result.failure { lines.append("  ✗ the run\n" + text(failure, at: nil)) }
        if let artifacts = result.artifacts { lines.append("      Logs, journals and pictures: \(artifacts)\n") }
        lines += result.edits.map { "  ↻ \($0.text)" }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }

    /// Returns the last line.
    package static func summary(_ results: [ScenarioResult]) -> String {
        let failed = results.count { !$0.isPassed }
        let steps = results.reduce(0) { $0 + $1.steps.count }
        let all =
            "\(results.count) \(results.count == 1 ? "scenario" : "scenarios"), \(steps) \(steps == 1 ? "step" : "steps")"
        return failed == 0 ? "✓ all passed: \(all)" : "✗ \(failed) failed of \(all)"
    }
}

extension String {
    /// The text with spaces before each line that is not empty.
    fileprivate func indented(by width: Int) -> String {
        let space = String(repeating: " ", count: width)
        return split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : space + $0 }.joined(separator: "\n")
    }
}
