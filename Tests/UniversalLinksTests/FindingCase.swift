import Testing
import UniversalLinks
import WaypostSchema

/// A file and all of its findings.
struct FindingCase: CustomTestStringConvertible {
    /// A finding and its place, without its message.
    struct ExpectedFinding: Equatable, CustomStringConvertible {
        var severity: FindingSeverity
        var code: AssociationFinding.Code
        var place: String
        var line: Int
        var column: Int

        init(
            _ severity: FindingSeverity,
            _ code: AssociationFinding.Code,
            _ place: String,
            line: Int = 1,
            column: Int
        ) {
            (self.severity, self.code, self.place, self.line, self.column) = (severity, code, place, line, column)
        }

        init(_ finding: AssociationFinding) {
            self.init(finding.severity, finding.code, finding.place, line: finding.line, column: finding.column)
        }

        var description: String { "\(severity) \(code) \(place) \(line):\(column)" }
    }

    /// The file's text.
    var json: String
    var expectedFindings: [ExpectedFinding]

    /// The descriptions of the valid rules.
    var rules: [String]

    init(_ json: String, _ expectedFindings: [ExpectedFinding], rules: [String] = []) {
        (self.json, self.expectedFindings, self.rules) = (json, expectedFindings, rules)
    }

    /// Creates a case whose first rule is `component` and whose second rule is valid.
    ///
    /// Columns count from the start of `component`.
    init(component: String, _ expectedFindings: [ExpectedFinding], rules: [String] = []) {
        let start = Clowntown.json([]).utf8.count - "]}]}}".utf8.count
        let shifted = expectedFindings.map { finding in
            let place = "applinks.details[0].components[0]" + finding.place
            let column = finding.column + start
            return ExpectedFinding(finding.severity, finding.code, place, line: finding.line, column: column)
        }
        self.init(Clowntown.json([component, #"{"/":"/sound"}"#]), shifted, rules: rules + [#"{"/":"/sound"}"#])
    }

    var testDescription: String { json }

    func check() throws {
        let file = try AssociationFile(json: json)
        #expect(file.findings.map(ExpectedFinding.init) == expectedFindings)
        #expect(file.entries.flatMap { $0.value.rules.map(\.value.description) } == rules)
    }
}
