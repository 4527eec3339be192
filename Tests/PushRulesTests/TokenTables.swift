import PushRules
import WaypostSchema

/// The tables of docs/notifications.md about the life of tokens, made from `TokenContract`.
enum TokenTables {
    /// The line of the page before the tables.
    static let start = "<!-- tokens -->"

    /// The line of the page after the tables.
    static let end = "<!-- end of tokens -->"

    private typealias Column = (title: String, rule: @Sendable (TokenContract) -> Rule<String>)

    private static let origin: [Column] = [
        ("the call that gives it", { $0.call }), ("needs", { $0.needs }), ("one for each", { $0.scope }),
        ("appears", { $0.appearance }), ("digits", { $0.length }),
    ]
    private static let changes: [Column] = [
        ("update of the app", { $0.update }), ("uninstallation", { $0.uninstallation }),
        ("re-installation", { $0.reinstallation }), ("restored backup", { $0.restoration }),
        ("rotation", { $0.rotation }), ("other environment", { $0.environment }),
        ("answer for the old one", { $0.oldToken }),
    ]
    private static let sources = NumberedSources(TokenContract.all.flatMap(\.evidence))

    /// The tables and their sources.
    static var text: String {
        [table(of: origin), table(of: changes), "The sources:", sources.list].joined(separator: "\n\n")
    }

    /// Returns a page with the tables between its two lines; `nil` if it does not have each of them once.
    static func updating(_ page: String) -> String? {
        let lines = page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let first = lines.firstIndex(of: start), let last = lines.firstIndex(of: end), first < last,
            lines.count(where: { $0 == start || $0 == end }) == 2
        else { return nil }
        return (Array(lines[...first]) + ["", text, ""] + Array(lines[last...])).joined(separator: "\n")
    }

    private static func table(of columns: [Column]) -> String {
        let header = ["kind"] + columns.map(\.title)
        let rows = TokenContract.all.map { row in
            ["`\(row.kind.rawValue)`"] + columns.map { cell($0.rule(row)) }
        }
        return ([header, header.map { _ in "---" }] + rows).map { "| \($0.joined(separator: " | ")) |" }
            .joined(separator: "\n")
    }

    private static func cell(_ rule: Rule<String>) -> String {
        "\(rule.value) \(sources.marks(of: rule.evidence))"
    }
}

extension TokenContract {
    /// All rules, in the order of the tables.
    var rules: [Rule<String>] {
        [
            call, needs, scope, appearance, length, update, uninstallation, reinstallation, restoration, rotation,
            environment, oldToken,
        ]
    }

    /// The sources of all rules.
    fileprivate var evidence: [Evidence] {
        rules.flatMap(\.evidence)
    }
}
