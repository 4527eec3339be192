internal import ArgumentParser
internal import DeviceModel
internal import Highlights
internal import TextReports
internal import WaypostSchema

/// The `waypost replay` command, which replays a device's journal.
struct ReplayCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Replay a device's journal, and explain what the device shows.",
        usage: """
            waypost replay <journal> [--at <time>]
            waypost replay <journal> --shelf <app> [--offset <n>] [--limit <n>] [--at <time>]
            waypost replay <journal> --explain <url> [--app <app>] [--at <time>]
            waypost replay <journal> --effects [--at <time>]
            """,
        discussion: """
            A journal is JSON Lines with one event of the device per line, such as \
            {"at":1654594860000,"type":"messageReceived","message":{…}}; docs/journal.md lists all events.

            --shelf prints an app's highlights in order, each with the terms of its score. --explain prints the \
            verdict of every gate on a link, with the deciding one marked, and exits with 1 if no app has the link. \
            --effects prints the effects of each event. Without these options, the command prints an overview of the \
            device.

            --at takes milliseconds since 1970 or a time such as 2022-06-07T09:41:00Z, and shows the device at that \
            time.
            """
    )

    @Option(help: ArgumentHelp("Print the highlights of an app.", valueName: "app"))
    var shelf: String?

    @Option(help: "With --shelf: the number of highlights to skip.")
    var offset: Int?

    @Option(help: "With --shelf: the maximum number of highlights (default: 20).")
    var limit: Int?

    @Option(help: ArgumentHelp("Explain why a link is, or is not, among the highlights of each app.", valueName: "url"))
    var explain: String?

    @Option(help: ArgumentHelp("With --explain: only this app.", valueName: "app"))
    var app: String?

    @Flag(help: "Print the effects of each event.")
    var effects = false

    @OptionGroup var journal: Journal

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard [shelf != nil, explain != nil, effects].count(where: \.self) <= 1 else {
            throw ValidationError("give only one of --shelf, --explain and --effects")
        }
        guard app == nil || explain != nil else { throw ValidationError("--app requires --explain") }
        guard shelf != nil || (offset ?? limit) == nil else {
            throw ValidationError("--offset and --limit require --shelf")
        }
        guard (offset ?? 0) >= 0, (limit ?? 0) >= 0 else {
            throw ValidationError("--offset and --limit must not be negative")
        }
    }

    func perform() async throws {
        if effects {
            try printEffects()
        } else if let shelf {
            try printShelf(BundleIdentifier(rawValue: shelf), of: try journal.replayed())
        } else if let explain {
            try printExplanations(explain, of: try journal.replayed())
        } else {
            try output.write(DeviceOverview(try journal.replayed()), text: \.text)
        }
    }

    private func printShelf(_ app: BundleIdentifier, of device: DeviceModel) throws {
        guard let report = device.sharing.report(on: app, from: offset ?? 0, limit: limit ?? 20) else {
            throw CommandFailure.unusable(Self.missing(app, on: device))
        }
        try output.write(report, text: \.text)
    }

    private func printExplanations(_ url: String, of device: DeviceModel) throws {
        let apps = app.map { [BundleIdentifier(rawValue: $0)] } ?? device.sharing.apps
        guard !apps.isEmpty else { throw CommandFailure.unusable("the device has no apps, so none can have the link") }
        let explanations = apps.map { device.sharing.explanation(of: url, for: $0) }
        try output.write(explanations) { $0.map(\.text).joined(separator: "\n\n") }
        guard explanations.contains(where: \.isSurfaced) else { throw CommandFailure.no() }
    }

    private func printEffects() throws {
        var device = DeviceModel()
        var writer: AnswerWriter<JournalEffect> = output.writer { $0.map(\.text).joined(separator: "\n") }
        try journal.forEachEntry { entry, line in
            for effect in device.apply(entry.event, at: entry.at).effects {
                try writer.write(JournalEffect(at: entry.at, line: line, event: entry.event.kind, effect: effect))
            }
        }
        if let end = journal.at {
            for effect in device.apply(.system(.timePassed), at: end).effects {
                try writer.write(JournalEffect(at: end, line: nil, event: .system(.timePassed), effect: effect))
            }
        }
        try writer.finish()
    }

    /// Returns a message that an app is not on a device, with the apps that are.
    static func missing(_ app: BundleIdentifier, on device: DeviceModel) -> String {
        let apps = device.sharing.apps.map(\.rawValue)
        let others = apps.isEmpty ? "it has no apps" : "its apps are: \(apps.joined(separator: ", "))"
        return "the app \(app) is not on the device; \(others)"
    }
}

/// An overview of a device.
struct DeviceOverview: Encodable {
    /// The device's name, or `nil` if the journal has none.
    let name: String?

    /// The time on the device.
    let clock: Timestamp

    /// The next time when something changes without an event.
    let nextDeadline: Timestamp?

    /// The state of each app's highlights.
    let apps: [AppOverview]

    /// The state of an app's highlights.
    struct AppOverview: Encodable {
        let app: BundleIdentifier
        let state: HighlightsState
        let total: Int
        let curated: Bool
    }

    init(_ device: DeviceModel) {
        name = device.name.isEmpty ? nil : device.name
        clock = device.sharing.clock
        nextDeadline = device.nextDeadline
        apps = device.sharing.apps.map { app in
            let page = device.sharing.page(of: app, limit: 0)
            return AppOverview(app: app, state: page.state, total: page.total, curated: page.curated)
        }
    }

    var text: String {
        let time = clock.rawValue == 0 ? "before anything happened" : "at \(clock.text)"
        guard !apps.isEmpty else { return "The device has no apps \(time)." }
        let rows = apps.map { [$0.app.rawValue, $0.state.rawValue, "\($0.total)", $0.curated ? "yes" : "no"] }
        return "\(name ?? "The device") \(time)\n"
            + TextTable(header: ["App", "State", "Highlights", "Curated"], rows: rows).text
    }
}
