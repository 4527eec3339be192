internal import ArgumentParser
internal import AssociationFetching
internal import TextReports
internal import UniversalLinks
internal import WaypostSchema

/// The `waypost links check` command, which checks an association file for problems.
struct LinksCheckCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check an apple-app-site-association file for problems.",
        usage: """
            waypost links check <file> [--app <id>]
            waypost links check --fetch <domain> [--from <url>] [--cdn <url>] [--app <id>]
            """,
        discussion: """
            Prints the findings in the order of the file: the severity, the place, the problem, and the JSON to write \
            there instead. With --app, it is an error if the file does not name the application. Exits with 1 if there \
            is an error, or if the file cannot be fetched, and with 2 if it cannot be read.

            With --fetch: asks the server as a device does, and again as Apple's fetcher does, with the user agent \
            AASA-Bot/1.0.0. The first findings are about the answers: redirects, which a device does not follow, web \
            pages, and files that only one of the two gets.

            With --cdn: also compares the file of the server with the copy of the CDN, from which devices get it. \
            Apple's CDN is https://app-site-association.cdn-apple.com; it is asked only if --cdn names it.
            """
    )

    @Option(help: ArgumentHelp("The apple-app-site-association file; '-': standard input.", valueName: "file"))
    var association: String?

    @Option(help: ArgumentHelp("Fetch the file of this domain, as a device does.", valueName: "domain"))
    var fetch: String?

    @Option(
        help: ArgumentHelp("The server to use instead of the domain: https, or http on loopback.", valueName: "url")
    )
    var from: String?

    @Option(help: ArgumentHelp("The CDN to compare with the server: https, or http on loopback.", valueName: "url"))
    var cdn: String?

    @Option(
        help: ArgumentHelp(
            "The application identifier that the file must name, such as ABCDE12345.com.example.app.",
            valueName: "id"
        )
    )
    var app: String?

    @OptionGroup var output: OutputOptions

    @Argument(help: "The association file, instead of --association.", completion: .file())
    var file: String?

    func validate() throws {
        guard [association, fetch, file].compactMap(\.self).count == 1 else {
            throw ValidationError("give exactly one of a file, --association and --fetch")
        }
        guard from == nil || fetch != nil else { throw ValidationError("--from requires --fetch") }
        guard cdn == nil || fetch != nil else { throw ValidationError("--cdn requires --fetch") }
        if let application, let problem = AssociationCheck.problem(with: application) {
            throw ValidationError("--app: \(problem)")
        }
    }

    /// The application identifier that the file must name.
    private var application: ApplicationIdentifier? {
        app.map { ApplicationIdentifier(rawValue: $0) }
    }

    func perform() async throws {
        let findings = try await findings()
        try output.write(findings, table: Self.table)
        if findings.contains(where: { $0.severity == .error }) { throw CommandFailure.failed() }
    }

    private func findings() async throws -> [AssociationFinding] {
        guard let fetch else {
            let bytes = try InputFile(path: association ?? file ?? "-").readToEnd()
            return AssociationCheck.findings(in: bytes, for: application)
        }
        let domain = try DomainArgument.parse(fetch, option: "--fetch")
        return try await comparison(origin: try originLocation(of: domain), cdn: try cdnLocation(of: domain))
            .findings(for: application)
    }

    private func comparison(
        origin: AssociationLocation,
        cdn: AssociationLocation?
    ) async throws -> AssociationComparison {
        var configuration = AssociationFetcher.Configuration()
        // The user named the domain on the command line, so no app can choose a private address here.
        configuration.allowsPrivateAddresses = true
        let fetcher = try AssociationFetcher(configuration: configuration)
        let comparison = await AssociationComparison.fetch(origin, cdn: cdn, with: fetcher)
        fetcher.shutdown()
        // The answers to canceled requests say nothing about the servers.
        try Task.checkCancellation()
        return comparison
    }

    /// Returns the location of a domain's file on its server.
    private func originLocation(of domain: String) throws(CommandFailure) -> AssociationLocation {
        guard let from else { return .domain(domain) }
        do throws(DevelopmentServerError) {
            return .developmentServer(try DevelopmentServerURL(from).string)
        } catch {
            throw .unusable("--from: \(error)")
        }
    }

    /// Returns the location of the copy of a domain's file on the CDN, or `nil` if no CDN is to be asked.
    private func cdnLocation(of domain: String) throws(CommandFailure) -> AssociationLocation? {
        guard let cdn else { return nil }
        do throws(DevelopmentServerError) {
            return .cdn(base: try DevelopmentServerURL(cdn).string, domain: domain)
        } catch {
            throw .unusable("--cdn '\(cdn)': \(error.reason)")
        }
    }

    private static func table(_ findings: [AssociationFinding]) -> String {
        guard !findings.isEmpty else { return "no problems found" }
        return findings.map { finding in
            let place = finding.place.isEmpty ? "" : "  \(finding.place)"
            let head = "\(finding.severity.rawValue)  line \(finding.line), column \(finding.column)\(place)"
            let instead = finding.instead.map { "\n  instead: \($0)" } ?? ""
            return "\(head)  (\(finding.code.rawValue))\n  \(finding.message)\(instead)"
        }
        .joined(separator: "\n")
    }
}
