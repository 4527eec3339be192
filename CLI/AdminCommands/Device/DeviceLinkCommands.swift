internal import ArgumentParser
internal import DeviceModel
internal import GatewayClient
internal import Highlights
internal import TextBasics
internal import TextReports
internal import WaypostSchema

/// The `waypost device search` command, which searches the links from Messages on a device.
struct DeviceSearchCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Search the links that a device received in Messages, and say why each was found.",
        discussion: """
            Finds links by words in their URLs, in messages, and in the names of senders and conversations. Pinned \
            links come first, then those that an app has, then all others. Exits with 1 if nothing is found.
            """
    )

    @OptionGroup var source: DeviceOrJournalOptions

    @Argument(help: "The words to find; an empty query finds everything.")
    var query: String

    @Option(help: "The maximum number of links.")
    var limit = 20

    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        guard limit >= 0 else { throw ValidationError("--limit must not be negative") }
    }

    func perform() async throws {
        let links = try await source.read { model in
            model.sharing.search(query, limit: limit)
        } call: { agent, device in
            try await agent.search(query, limit: limit, on: device)
        }
        try output.writeExplainingNone(links, table: Self.table)
        guard !links.isEmpty else { throw CommandFailure.failed() }
    }

    private static func table(_ links: [FoundLink]) -> any TextPresentable {
        guard !links.isEmpty else { return "Nothing is found." }
        let rows = links.map { link in
            [
                link.isPinned ? "pinned" : "", link.url, link.apps.map(\.rawValue).joined(separator: ", "),
                link.explanation,
            ]
        }
        return TextTable(header: ["", "URL", "Apps", "Why"], rows: rows)
    }
}

/// The `waypost device shelf` command, which shows the links from Messages that an app gets.
struct DeviceShelfCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "shelf",
        abstract: "Show the links from Messages that an app gets, with the reasons for their order.",
        discussion: "Each link has the terms of its score. 'waypost shelf render' draws the shelf of a journal."
    )

    @OptionGroup var source: DeviceOrJournalOptions

    @Argument(help: "The app's bundle identifier.", completion: .apps)
    var app: String

    @Option(help: "The number of links to skip.")
    var offset = 0

    @Option(help: "The maximum number of links.")
    var limit = 20

    @Flag(help: "Print the picture that the device draws, as SVG.")
    var svg = false

    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        guard offset >= 0, limit >= 0 else { throw ValidationError("--offset and --limit must not be negative") }
        guard !svg || source.journal == nil else {
            throw ValidationError("'waypost shelf render' draws the shelf of a journal")
        }
    }

    func perform() async throws {
        let app = BundleIdentifier(rawValue: app)
        if svg {
            return try await source.device.withDevice { agent, device in
                try StandardOutput.write(try await agent.shelfPicture(of: app, on: device))
            }
        }
        let report = try await source.read { model in
            guard let report = model.shelfReport(on: app, from: offset, limit: limit) else {
                throw CommandFailure.unusable(model.missingAppMessage(for: app))
            }
            return report
        } call: { agent, device in
            try await agent.shelf(of: app, from: offset, limit: limit, on: device)
        }
        try output.write(report) { $0.text }
    }
}

/// The `waypost device attribution` command, which shows who shared a link, as the device draws it in an app.
struct DeviceAttributionCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "attribution",
        abstract: "Show who shared a link, as a device draws it in an app.",
        discussion: """
            Prints the label of the view, in JSON also its layout, or with --svg the picture. Exits with 1 if the app has no \
            highlight for the link; 'waypost device explain <url> --app <app>' says why. 'waypost attribution render' \
            draws it from a journal, with other preferences and settings.
            """
    )

    @OptionGroup var device: DeviceOptions

    @Argument(help: "The URL of the link.")
    var url: String

    @Option(help: "The app that shows the link (default: the only one that has it).", completion: .apps)
    var app: String?

    @Flag(help: "Print the picture that the device draws, as SVG.")
    var svg = false

    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        guard !svg || output.format == nil else { throw ValidationError("--format cannot be combined with --svg") }
    }

    func perform() async throws {
        try await device.withDevice { agent, device in
            let app = try await app(on: device, agent)
            do {
                if svg {
                    return try StandardOutput.write(try await agent.attributionPicture(of: url, in: app, on: device))
                }
                try output.write(try await agent.attribution(of: url, in: app, on: device)) {
                    $0.label.safe(for: .terminal)
                }
            } catch let error as CallError {
                guard case .refused(_, let answer) = error, answer.code == "noHighlight" else { throw error }
                throw CommandFailure.failed(
                    "\(app) has no highlight for the link; 'waypost device explain \(url) --app \(app)' says why"
                )
            }
        }
    }

    /// Returns the app of the option, or the only one whose shelf has the link.
    private func app(on device: String, _ agent: AgentClient) async throws -> BundleIdentifier {
        if let app { return BundleIdentifier(rawValue: app) }
        let apps = try await agent.explanations(of: url, on: device).filter(\.isSurfaced).map(\.app)
        if apps.isEmpty {
            throw CommandFailure.failed(
                "no app has a highlight for the link; 'waypost device explain \(url) --shelves' says why"
            )
        }
        guard apps.count == 1 else {
            throw CommandFailure.unusable(
                "several apps have the link; add --app with one of \(apps.map(\.rawValue).joined(separator: ", "))"
            )
        }
        return apps[0]
    }
}
