/// The results of scenarios in the XML format of JUnit, which CI systems read.
package enum JUnitReport {
    /// Returns the document: a suite for each file, and a test case for each scenario.
    package static func text(_ results: [ScenarioResult]) -> String {
        var files: [String] = []
        for result in results where !files.contains(result.file) { files.append(result.file) }
        let suites = files.map { file in suite(file, results.filter { $0.file == file }) }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites\(counts(results))>
            \(suites.joined(separator: "\n"))
            </testsuites>

            """
    }

    private static func suite(_ file: String, _ results: [ScenarioResult]) -> String {
        let cases = results.map(testCase).joined(separator: "\n")
        return "  <testsuite name=\"\(file.escapedForXML)\"\(counts(results))>\n\(cases)\n  </testsuite>"
    }

    private static func counts(_ results: [ScenarioResult]) -> String {
        let time = results.reduce(0) { $0 + $1.duration.seconds }
        return " tests=\"\(results.count)\" failures=\"\(results.count { !$0.isPassed })\" time=\"\(time.text)\""
    }

    private static func testCase(_ result: ScenarioResult) -> String {
        let head =
            "    <testcase classname=\"\(result.file.escapedForXML)\" name=\"\(result.name.escapedForXML)\" "
            + "time=\"\(result.duration.seconds.text)\""
        guard !result.isPassed else { return head + "/>" }
        let failedStep = result.steps.first { $0.outcome == .failed }
        let failure = failedStep?.failure ?? result.failure
        let parts = [failedStep.map(ScenarioReport.text), ScenarioReport.ending(result)]
        let text = parts.compactMap(\.self).joined(separator: "\n")
        return """
            \(head)>
                  <failure message="\((failure?.message ?? "").escapedForXML)">\(text.escapedForXML)</failure>
                </testcase>
            """
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
