internal import Foundation
internal import WaypostSchema

/// The results of scenarios as JSON Lines: a line for each step, and one for each scenario.
///
/// Two runs of a scenario with the same seed have the same lines: tokens, generated identifiers and ports are numbered
/// by their first use, and times are relative to the start. Only the folder of a failure differs.
package enum StepLines {
    private struct StepLine: Encodable {
        let type = "step"
        let scenario: String
        let step: Int
        let text: String
        let outcome: StepResult.Outcome
        let at: Int
        let answer: JSONValue?
        let warning: String?
        let message: String?
        let differences: [StepFailure.Difference]?
        let explanation: String?
    }

    private struct ScenarioLine: Encodable {
        let type = "scenario"
        let scenario: String
        let file: String
        let outcome: String
        let steps: Int
        let message: String?
        let explanation: String?
        let artifacts: String?
    }

    /// Returns the lines of a scenario.
    package static func text(_ result: ScenarioResult) throws -> String {
        var numbering = Numbering(start: result.start)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var lines: [String] = []
        for step in result.steps {
            let line = StepLine(
                scenario: result.name,
                step: step.number,
                text: step.text,
                outcome: step.outcome,
                at: step.elapsed,
                answer: step.answer,
                warning: step.warning,
                message: step.failure?.message,
                differences: step.failure?.differences,
                explanation: step.failure?.explanation
            )
            lines.append(
                String(
                    decoding: try encoder.encode(numbering.replaceVaryingValues(in: JSONValue(encoding: line))),
                    as: UTF8.self
                )
            )
        }
        let scenarioLine = ScenarioLine(
            scenario: result.name,
            file: result.file,
            outcome: result.isPassed ? "passed" : "failed",
            steps: result.steps.count,
            message: result.failure.map { numbering.replaceVaryingValues(in: $0.message) },
            explanation: result.failure?.explanation.map { numbering.replaceVaryingValues(in: $0) },
            artifacts: result.artifacts
        )
        lines.append(String(decoding: try encoder.encode(scenarioLine), as: UTF8.self))
        return lines.joined(separator: "\n") + "\n"
    }
}

extension JSONValue {
    /// Returns an object without a member.
    fileprivate func without(_ name: String) -> JSONValue {
        guard case .object(var members) = self else { return self }
        members[name] = nil
        return .object(members)
    }
}

/// Replaces values that differ from run to run by placeholders with numbers, in the order of their first use.
struct Numbering {
    private let start: Timestamp
    private var placeholders: [String: String] = [:]
    private var counts: [String: Int] = [:]

    init(start: Timestamp) {
        self.start = start
    }

    /// Returns a value with numbers instead of tokens, identifiers, ports and times.
    mutating func replaceVaryingValues(in value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): return .string(replaceVaryingValues(in: text))
        // Without a start, nothing has happened yet.
        case .integer(let time) where start.rawValue > 0 && time >= start.rawValue:
            return .string("+\(time - start.rawValue) ms")
        case .array(let elements): return .array(elements.map { replaceVaryingValues(in: $0) })
        case .object(let members):
            // Members have no order, so they are visited in that of their names.
            var numberedMembers: [String: JSONValue] = [:]
            for (name, member) in members.sorted(by: { $0.key < $1.key }) {
                // Activations are numbered by all that happened to the device, also what the app did meanwhile.
                numberedMembers[name] =
                    name == "activation"
                    ? replaceVaryingValues(in: member.without("number")) : replaceVaryingValues(in: member)
            }
            return .object(numberedMembers)
        default: return value
        }
    }

    /// Returns a text with numbers instead of tokens, identifiers and ports.
    mutating func replaceVaryingValues(in text: String) -> String {
        var result = text
        for pattern in Pattern.allCases {
            var numbered = ""
            var rest = result[...]
            while let match = rest.firstMatch(of: pattern.regex) {
                numbered += rest[..<match.startIndex] + placeholder(for: String(rest[match.range]), matching: pattern)
                rest = rest[match.endIndex...]
            }
            result = numbered + rest
        }
        return result
    }

    private mutating func placeholder(for value: String, matching pattern: Pattern) -> String {
        if let placeholder = placeholders[value] { return placeholder }
        counts[pattern.rawValue, default: 0] += 1
        let placeholder = "\(pattern.rawValue)-\(counts[pattern.rawValue] ?? 0)"
        placeholders[value] = placeholder
        return placeholder
    }

    private enum Pattern: String, CaseIterable {
        case id
        case token
        case view
        case channel
        case port

        var regex: Regex<Substring> {
            switch self {
            case .id: /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/
            case .token: /[0-9a-f]{64}/
            case .view: /\b[a-z2-7]{26}\b/
            case .channel: /[A-Za-z0-9+\/]{22}==/
            case .port: /127\.0\.0\.1:[0-9]{1,5}/
            }
        }
    }
}
