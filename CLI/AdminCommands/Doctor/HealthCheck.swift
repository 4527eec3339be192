internal import TextReports

/// The result of a check.
struct HealthCheck: Encodable, Equatable {
    /// The kinds of results.
    enum Result: String, Encodable {
        case ok
        case problem
        case skipped
    }

    /// The subject.
    let check: String

    /// The result.
    let result: Result

    /// The finding.
    let finding: String

    /// The remedy, if there is a problem.
    let remedy: String?

    /// Returns a check without a problem.
    static func ok(_ check: String, _ finding: String) -> Self {
        Self(check: check, result: .ok, finding: finding, remedy: nil)
    }

    /// Returns a check that found a problem.
    static func problem(_ check: String, _ finding: String, remedy: String) -> Self {
        Self(check: check, result: .problem, finding: finding, remedy: remedy)
    }

    /// Returns a check that could not be made, or that nothing depends on.
    static func skipped(_ check: String, _ finding: String) -> Self {
        Self(check: check, result: .skipped, finding: finding, remedy: nil)
    }

    /// Returns checks as a table, and the remedies below it.
    static func table(_ checks: [Self]) -> any TextPresentable {
        let marks: [Result: String] = [.ok: "✓", .problem: "✗", .skipped: "–"]
        let rows = checks.map { [marks[$0.result] ?? "", $0.check, $0.finding] }
        let remedies = checks.compactMap { check in check.remedy.map { "\(check.check): \($0)" } }
        let table = TextTable(header: ["", "Check", "Finding"], rows: rows, wrapsLastColumn: true) { column, text in
            column == 0 ? text == "✗" ? .red : .green : nil
        }
        return remedies.isEmpty ? table : TextParts([table, "", "What to do:"] + remedies.map { "  \($0)" })
    }
}
