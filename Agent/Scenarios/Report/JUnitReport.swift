/// A test case in the XML format of JUnit.
package struct JUnitCase: Sendable {
    /// The reason why a test case is not a success.
    package enum Problem: Sendable {
        /// The case failed, with a message and a text of several lines.
        case failed(String, text: String)

        /// The case was skipped, with the reason.
        case skipped(String)
    }

    /// The name of the suite, such as a file.
    let suite: String

    /// The name of the case.
    let name: String

    /// The duration.
    let duration: Duration

    /// The problem; `nil` for a success.
    let problem: Problem?

    /// Creates the value from its parts.
    package init(suite: String, name: String, duration: Duration, problem: Problem?) {
        self.suite = suite
        self.name = name
        self.duration = duration
        self.problem = problem
    }

    fileprivate var isFailed: Bool {
        if case .failed? = problem { true } else { false }
    }

    fileprivate var isSkipped: Bool {
        if case .skipped? = problem { true } else { false }
    }
}

/// Results in the XML format of JUnit, which CI systems read.
package enum JUnitReport {
    /// Returns the document: a suite for each file, and a test case for each scenario.
    package static func text(_ results: [ScenarioResult]) -> String {
        text(results.map(testCase))
    }

    /// Returns the document of test cases.
    package static func text(_ cases: [JUnitCase]) -> String {
        var names: [String] = []
        for testCase in cases where !names.contains(testCase.suite) { names.append(testCase.suite) }
        let suites = names.map { name in suite(name, cases.filter { $0.suite == name }) }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites\(counts(cases))>
            \(suites.joined(separator: "\n"))
            </testsuites>

            """
    }

    private static func suite(_ name: String, _ cases: [JUnitCase]) -> String {
        let elements = cases.map(element).joined(separator: "\n")
        return "  <testsuite name=\"\(name.escapedForXML)\"\(counts(cases))>\n\(elements)\n  </testsuite>"
    }

    private static func counts(_ cases: [JUnitCase]) -> String {
        let time = cases.reduce(0) { $0 + $1.duration.seconds }
        let skipped = cases.count(where: \.isSkipped)
        return " tests=\"\(cases.count)\" failures=\"\(cases.count(where: \.isFailed))\""
            + (skipped > 0 ? " skipped=\"\(skipped)\"" : "") + " time=\"\(time.text)\""
    }

    private static func element(_ testCase: JUnitCase) -> String {
        let head =
            "    <testcase classname=\"\(testCase.suite.escapedForXML)\" name=\"\(testCase.name.escapedForXML)\" "
            + "time=\"\(testCase.duration.seconds.text)\""
        switch testCase.problem {
        case nil: return head + "/>"
        case .skipped(let reason)?:
            return "\(head)>\n      <skipped message=\"\(reason.escapedForXML)\"/>\n    </testcase>"
        case .failed(let message, let text)?:
            return """
                \(head)>
                      <failure message="\(message.escapedForXML)">\(text.escapedForXML)</failure>
                    </testcase>
                """
        }
    }

    private static func testCase(_ result: ScenarioResult) -> JUnitCase {
        let failedStep = result.steps.first { $0.outcome == .failed }
        let failure = failedStep?.failure ?? result.failure
        let parts = [failedStep.map(ScenarioReport.text), ScenarioReport.ending(result)]
        let text = parts.compactMap(\.self).joined(separator: "\n")
        return JUnitCase(
            suite: result.file,
            name: result.name,
            duration: result.duration,
            problem: result.isPassed ? nil : .failed(failure?.message ?? "", text: text)
        )
    }
}

extension Duration {
    /// The duration in seconds.
    fileprivate var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}

extension Double {
    /// The number with three digits after the point.
    fileprivate var text: String {
        let thousandths = Int((self * 1_000).rounded())
        let fraction = "\(thousandths % 1_000)"
        return "\(thousandths / 1_000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
    }
}

extension String {
    /// The text with everything escaped that has a meaning in XML, and without characters that XML forbids.
    fileprivate var escapedForXML: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "\t", "\n": text.unicodeScalars.append(scalar)
            case "\u{20}"...: text.unicodeScalars.append(scalar)
            default: text += "\u{FFFD}"
            }
        }
    }
}
