internal import ArgumentParser
internal import UniversalLinks
internal import WaypostSchema

/// Looks for what is wrong with an association file: `waypost links check`.
struct LinksCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Look for what is wrong with an apple-app-site-association file.",
        usage: """
            waypost links check --association <file>
            waypost links check --fetch <domain>
            """,
        discussion: """
            Prints what was found, in the order of the file: how bad it is, where it stands, what is the matter and what \
            to write instead. Exits 1 where an error is among it, or where the file cannot be fetched.
            """
    )

    @Option(help: ArgumentHelp("The apple-app-site-association file; '-': standard input.", valueName: "file"))
    var association: String?

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await reportingFailures {
            let findings = try await findings()
            var writer = AnswerWriter(output.resolved, table: Self.table)
            for finding in findings { try writer.write(finding) }
            try writer.finish()
            if findings.contains(where: { $0.severity == .error }) { throw CommandFailure.no() }
        }
    }

    private func findings() async throws -> [AssociationFinding] {
        AssociationCheck.findings(in: try InputFile(path: association ?? "-").readToEnd())
    }

    private static func table(_ findings: [AssociationFinding]) -> String {
        guard !findings.isEmpty else { return "nothing to say against it" }
        return findings.map { finding in
            let place = finding.place.isEmpty ? "" : "  \(finding.place)"
            let head = "\(finding.severity.rawValue)  line \(finding.line), column \(finding.column)\(place)"
            let instead = finding.instead.map { "\n  instead: \($0)" } ?? ""
            return "\(head)  (\(finding.code.rawValue))\n  \(finding.message)\(instead)"
        }
        .joined(separator: "\n")
    }
}
