internal import ArgumentParser
internal import UniversalLinks
internal import WaypostSchema

/// Matches URLs against an association file: `waypost links match`.
struct LinksMatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "match",
        abstract: "Say which apps of an apple-app-site-association file a URL may be offered to, and why.",
        usage: """
            waypost links match --association <file> --url <url> [--app <id>] [--domain <domain>]
            waypost links match --association <file> [--app <id>] [--domain <domain>] [<file> ...]
            """,
        discussion: """
            With a URL: prints the answer of every application of the file, or of the one that is asked for, with every \
            rule that was tried, and exits 1 where none matches.

            Without: a filter. Each line is a URL and is answered with one line for the application, or one for each of \
            the file's: {"url":…,"matched":…,"app":…,"outcome":"match"|"exclude"|"no_match","reason":…,"rule":…,…}. With \
            --trace, also with every rule that was tried. Exits 0, whatever the answers are, or 2 at the first line that \
            cannot be read.
            """
    )

    @Option(help: ArgumentHelp("The apple-app-site-association file.", valueName: "file"))
    var association: String

    @Option(help: ArgumentHelp("The URL to ask about.", valueName: "url"))
    var url: String?

    @Option(
        help: ArgumentHelp(
            "The application identifier to ask for, such as ABCDE12345.com.example.app.",
            valueName: "id"
        )
    )
    var app: String?

    @Option(help: "The domain that the file is of; URLs of others do not match.")
    var domain: String?

    @Option(help: ArgumentHelp("The language that $(lang) stands for (default: any ISO language).", valueName: "code"))
    var language: String?

    @Option(help: ArgumentHelp("The region that $(region) stands for (default: any ISO region).", valueName: "code"))
    var region: String?

    @Flag(help: "Say in every answer of the filter how each rule was answered.")
    var trace = false

    @OptionGroup var output: OutputOptions

    @Argument(help: "Files of URLs, one a line; '-' or none: standard input.")
    var files: [String] = []

    func validate() throws {
        guard url == nil || files.isEmpty else {
            throw ValidationError("files are not read where --url is given")
        }
        if let language, !ISOCodes.languages.contains(language.lowercased()) {
            throw ValidationError("--language '\(language)' is no ISO language code, such as en or yue")
        }
        if let region, !ISOCodes.regions.contains(region.uppercased()) {
            throw ValidationError("--region '\(region)' is no ISO region code, such as US or GB")
        }
        guard association != "-" || url != nil || !(files.isEmpty || files.contains("-")) else {
            throw ValidationError("standard input cannot be both the association file and the URLs")
        }
    }

    func run() async throws {
        try await reportingFailures {
            let matcher = try AssociationInput.matcher(
                association,
                language: language?.lowercased(),
                region: region?.uppercased()
            )
            let question = try LinkQuestion(matcher: matcher, app: app, domain: domain)
            if let url {
                try answer(url, question)
            } else if output.resolved == .jsonl, !trace {
                try filterQuickly(question)
            } else {
                var writer = AnswerWriter(output.resolved, table: Self.table)
                try LineInput(files: files).forEachLine { line in
                    for decision in question.decisions(on: try line.text(), tracing: trace) {
                        try writer.write(decision)
                    }
                }
                try writer.finish()
            }
        }
    }

    private func answer(_ url: String, _ question: LinkQuestion) throws {
        let decisions = question.decisions(on: url, tracing: true)
        var writer = AnswerWriter<LinkDecision>(output.resolved) { $0.map(Self.report).joined(separator: "\n\n") }
        for decision in decisions { try writer.write(decision) }
        try writer.finish()
        guard decisions.contains(where: \.matched) else { throw CommandFailure.no() }
    }

    private func filterQuickly(_ question: LinkQuestion) throws {
        var lines = LinkAnswerLines(question)
        var pending = ""
        let flush = {
            guard !pending.isEmpty else { return }
            try StandardOutput.write(pending)
            pending = ""
        }
        do {
            try LineInput(files: files).forEachLine(afterPiece: flush) { line in
                try lines.append(answersTo: try line.text(), to: &pending)
                if pending.utf8.count > 1 << 16 { try flush() }
            }
        } catch {
            // What was answered before the line that cannot be read was answered.
            try flush()
            throw error
        }
    }

    private static func table(_ decisions: [LinkDecision]) -> String {
        let rows = decisions.map { decision in
            [decision.outcome.rawValue, decision.app?.rawValue ?? "", decision.url, decision.explanation]
        }
        return TextTable(header: ["Outcome", "App", "URL", "Why"], rows: rows).text
    }

    /// A decision for a person, with every rule that was tried.
    private static func report(_ decision: LinkDecision) -> String {
        let head = "\(decision.outcome.rawValue)  \(decision.app?.rawValue ?? "")\n  \(decision.explanation)"
        let rules = (decision.trace ?? []).map { rule in
            "  \(rule.matched ? "✓" : "✗") line \(rule.line)  \(rule.rule)  \(rule.explanation)"
        }
        return ([head] + rules).joined(separator: "\n")
    }
}
