internal import ArgumentParser
internal import Highlights
internal import TextReports
internal import UniversalLinks
internal import WaypostSchema

/// The `waypost links` commands, which evaluate universal links.
struct LinksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "links",
        abstract: "Find the apps that may be offered a URL, and check association files.",
        subcommands: [LinksMatchCommand.self, LinksCheckCommand.self]
    )
}

/// The `waypost links match` command, which matches URLs against an association file.
struct LinksMatchCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "match",
        abstract: "Show which apps of an apple-app-site-association file may be offered a URL, and why.",
        usage: """
            waypost links match <file> <url> [--app <id>] [--domain <domain>]
            waypost links match --association <file> --url <url> [--app <id>] [--domain <domain>]
            waypost links match --association <file> [--app <id>] [--domain <domain>] [<file> ...]
            """,
        discussion: """
            With --url: prints the answer for every application in the file, or for the one of --app, with every rule \
            that was tried. Exits with 0 if one matches, with 1 if none does, and with 2 if the association file is missing \
            or cannot be used.

            Without --url: works as a filter. Each input line is a URL (a blank line is skipped without an answer), \
            and is answered with one line for the application, or one line for each application in the file: \
            {"url":…,"matched":…,"app":…,"outcome":"match"|"exclude"|"no_match","reason":…,"rule":…,…}. With --trace, \
            each answer also has every rule that was tried. Exits with 0 regardless of the answers, or with 2 at the \
            first line that cannot be read.
            """
    )

    @Option(help: ArgumentHelp("The apple-app-site-association file.", valueName: "file"))
    var association: String?

    @Option(help: ArgumentHelp("The URL to look up.", valueName: "url"))
    var url: String?

    @Option(
        help: ArgumentHelp(
            "The application identifier, such as ABCDE12345.com.example.app (default: every one in the file).",
            valueName: "id"
        )
    )
    var app: String?

    @Option(help: "The domain of the file; URLs of other domains do not match.")
    var domain: String?

    @Option(help: ArgumentHelp("The language that $(lang) matches (default: any ISO language).", valueName: "code"))
    var language: String?

    @Option(help: ArgumentHelp("The region that $(region) matches (default: any ISO region).", valueName: "code"))
    var region: String?

    @Flag(help: "Include every rule that was tried in each answer of the filter.")
    var trace = false

    @OptionGroup var output: OutputOptions

    @Argument(
        help: """
            With --association, files of URLs, one per line ('-' or no file: standard input); otherwise the association \
            file, and the URL to look up.
            """
    )
    var files: [String] = []

    /// The association file.
    private var associationFile: String {
        association ?? files.first ?? "-"
    }

    /// The URL to look up, or `nil` for files of URLs.
    private var urlToLookUp: String? {
        url ?? (association == nil && files.count == 2 ? files[1] : nil)
    }

    /// The files of URLs.
    private var urlFiles: [String] {
        association == nil ? [] : files
    }

    func validate() throws {
        guard association != nil || (1...2).contains(files.count) && (url == nil || files.count == 1) else {
            throw ValidationError("give the association file and a URL, or --association with files of URLs")
        }
        guard association != nil || files.first?.contains("://") == false else {
            throw ValidationError("'\(associationFile)' is a URL; give the association file before it")
        }
        guard url == nil || urlFiles.isEmpty else {
            throw ValidationError("--url cannot be combined with files")
        }
        if association == nil, files.count == 2, !files[1].isURLArgument {
            throw ValidationError("'\(files[1])' is not a URL; with --association, arguments are files of URLs")
        }
        if let language, !ISOCodes.languages.contains(language.lowercased()) {
            throw ValidationError("--language '\(language)' is not an ISO language code, such as en or yue")
        }
        if let region, !ISOCodes.regions.contains(region.uppercased()) {
            throw ValidationError("--region '\(region)' is not an ISO region code, such as US or GB")
        }
        guard associationFile != "-" || urlToLookUp != nil || !(urlFiles.isEmpty || urlFiles.contains("-")) else {
            throw ValidationError("standard input cannot be both the association file and the URLs")
        }
    }

    func perform() async throws {
        let matcher = try AssociationInput.matcher(
            associationFile,
            language: language?.lowercased(),
            region: region?.uppercased()
        )
        let query = try LinkQuery(matcher: matcher, app: app, domain: domain)
        if let url = urlToLookUp {
            try writeDecisions(on: url, query)
        } else if output.resolvedFormat == .jsonl, !trace {
            try filterToJSONLines(query)
        } else {
            var writer = output.writer(table: Self.table)
            try LineInput(files: urlFiles).forEachLine { line in
                for decision in query.decisions(on: try line.string(), tracing: trace) {
                    try writer.write(decision)
                }
            }
            try writer.finish()
        }
    }

    private func writeDecisions(on url: String, _ query: LinkQuery) throws {
        let decisions = query.decisions(on: url, tracing: true)
        try output.write(decisions) { decisions in decisions.map { Self.text(of: $0) }.joined(separator: "\n\n") }
        guard decisions.contains(where: \.matched) else { throw CommandFailure.failed() }
    }

    /// Answers each URL with lines of JSON, faster than `AnswerWriter`.
    private func filterToJSONLines(_ query: LinkQuery) throws {
        var lines = LinkAnswerLines(query)
        var unwrittenLines = ""
        let flush = {
            guard !unwrittenLines.isEmpty else { return }
            try StandardOutput.write(unwrittenLines)
            unwrittenLines = ""
        }
        do {
            try LineInput(files: urlFiles).forEachLine(afterChunk: flush) { line in
                try lines.append(answersTo: try line.string(), to: &unwrittenLines)
                if unwrittenLines.utf8.count > 1 << 16 { try flush() }
            }
        } catch {
            // The answers to the lines before the unreadable one are still written.
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

    /// Returns a decision as text, with every rule that was tried.
    ///
    /// - Parameters:
    ///   - decision: the decision.
    ///   - now: the time on the device, for the age of its file; `nil` if the decision is not that of a device.
    /// - Returns: the text, of several lines.
    static func text(of decision: LinkDecision, at now: Timestamp? = nil) -> String {
        let file = now.flatMap { now in decision.file.map { "\n  \($0.text(at: now))" } } ?? ""
        let head = "\(decision.outcome.rawValue)  \(decision.app?.rawValue ?? "")\n  \(decision.explanation)\(file)"
        let rules = (decision.trace ?? []).map { rule in
            "  \(rule.matched ? "✓" : "✗") line \(rule.line)  \(rule.rule)  \(rule.explanation)"
        }
        return ([head] + rules).joined(separator: "\n")
    }
}

/// The association files of commands.
enum AssociationInput {
    /// Returns a matcher for the file at `path`.
    static func matcher(
        _ path: String,
        language: String? = nil,
        region: String? = nil
    ) throws(CommandFailure) -> AssociationMatcher {
        let input = InputFile(path: path)
        let bytes = try input.readToEnd()
        do throws(AssociationFailure) {
            return AssociationMatcher(try AssociationFile(bytes), language: language, region: region)
        } catch {
            throw .unusable("\(input.name): \(error.message)")
        }
    }
}
