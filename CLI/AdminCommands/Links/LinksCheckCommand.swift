internal import ArgumentParser
internal import AssociationFetching
internal import UniversalLinks
internal import WaypostSchema

/// Looks for what is wrong with an association file: `waypost links check`.
struct LinksCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Look for what is wrong with an apple-app-site-association file.",
        usage: """
            waypost links check --association <file>
            waypost links check --fetch <domain> [--from <url>]
            """,
        discussion: """
            Prints what was found, in the order of the file: how bad it is, where it stands, what is the matter and what \
            to write instead. Exits 1 where an error is among it, or where the file cannot be fetched.
            """
    )

    @Option(help: ArgumentHelp("The apple-app-site-association file; '-': standard input.", valueName: "file"))
    var association: String?

    @Option(help: ArgumentHelp("Fetch the file of this domain, as a device does.", valueName: "domain"))
    var fetch: String?

    @Option(
        help: ArgumentHelp("The server that stands in for the domain: https, or http on loopback.", valueName: "url")
    )
    var from: String?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (association == nil) != (fetch == nil) else {
            throw ValidationError("one of --association and --fetch is needed, and only one")
        }
        guard from == nil || fetch != nil else { throw ValidationError("--from goes with --fetch") }
    }

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
        guard let fetch else {
            return AssociationCheck.findings(in: try InputFile(path: association ?? "-").readToEnd())
        }
        let fetched = try await fetched(fetch)
        return [fetched.contentTypeFinding].compactMap { $0 } + AssociationCheck.findings(in: fetched.bytes)
    }

    private func fetched(_ domain: String) async throws -> FetchedAssociation {
        let location = try location(of: domain)
        let fetcher = try AssociationFetcher()
        let outcome: Result<FetchedAssociation, AssociationFailure>
        do throws(AssociationFailure) {
            outcome = .success(try await fetcher.fetch(location))
        } catch {
            outcome = .failure(error)
        }
        try await fetcher.shutdown()
        return try outcome.mapError { CommandFailure.no("\(location.source): \($0.message) (\($0.code.rawValue))") }
            .get()
    }

    private func location(of domain: String) throws(CommandFailure) -> AssociationLocation {
        let domain = try DomainArgument.domain(domain, of: "--fetch")
        guard let from else { return .domain(domain) }
        do throws(DevelopmentServerFault) {
            return .developmentServer(try DevelopmentServerURL(from).text)
        } catch {
            throw .unusable("--from: \(error)")
        }
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
