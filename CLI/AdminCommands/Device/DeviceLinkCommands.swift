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
        discussion: """
            Each link has the terms of its score. --svg draws the shelf, of a journal as of a running device; \
            'waypost shelf render' draws it with other previews.
            """
    )

    @OptionGroup var source: DeviceOrJournalOptions

    @Argument(help: "The app's bundle identifier.", completion: .apps)
    var app: String

    @Option(help: "The number of links to skip.")
    var offset = 0

    @Option(help: "The maximum number of links (default: 20; with --svg: 5, before Show More).")
    var limit: Int?

    @Flag(help: "Print the picture that the device draws, as SVG.")
    var svg = false

    @OptionGroup(title: "User settings") var traits: TraitOptions

    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        guard offset >= 0, (limit ?? 0) >= 0 else {
            throw ValidationError("--offset and --limit must not be negative")
        }
        guard svg else {
            guard let option = traits.values.first?.option else { return }
            throw ValidationError("\(option.argument) requires --svg")
        }
        guard offset == 0 else { throw ValidationError("--offset cannot be combined with --svg") }
        guard (limit ?? 0) <= PictureOptions.maximumLimit else {
            throw ValidationError("--limit must be a number from 0 to \(PictureOptions.maximumLimit) with --svg")
        }
    }

    func perform() async throws {
        let app = BundleIdentifier(rawValue: app)
        if svg { return try await writePicture(of: app) }
        let limit = limit ?? 20
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

    private func writePicture(of app: BundleIdentifier) async throws {
        let limitValue = PictureOptionValue(.limit, limit.map { "\($0)" })
        let values = traits.values + [limitValue].compactMap(\.self)
        let picture = try await source.read { model in
            guard model.app(app) != nil else { throw CommandFailure.unusable(model.missingAppMessage(for: app)) }
            let options = try PictureOptions(values)
            return model.shelfPicture(of: app, options).svg(options.appearance)
        } call: { agent, device in
            try await agent.picture("shelf", in: app, query: values.map(\.parameter), on: device)
        }
        try StandardOutput.write(picture)
    }
}
