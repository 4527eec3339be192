internal import ArgumentParser
internal import DeviceModel
internal import Highlights
internal import WaypostSchema

/// Replays a device's journal: `waypost replay`.
struct ReplayCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Replay a device's journal, and ask what the device shows and why.",
        usage: """
            waypost replay <journal> [--at <time>]
            waypost replay <journal> --shelf <app> [--offset <n>] [--limit <n>] [--at <time>]
            waypost replay <journal> --explain <url> [--app <app>] [--at <time>]
            waypost replay <journal> --effects [--at <time>]
            """,
        discussion: """
            A journal is JSON Lines, one event of the device a line, such as \
            {"at":1654594860000,"type":"messageReceived","message":{…}}; docs/journal.md has them all.

            --shelf prints an app's highlights in order, each with the sum that its score is. --explain prints how every \
            gate answers for a link, the deciding one marked, and exits 1 where no app has it. --effects prints what the \
            device did about each event. Without any of them: what is on the device.

            --at takes milliseconds since 1970 or a time such as 2022-06-07T09:41:00Z; the device is as it was then.
            """
    )

    @Option(help: ArgumentHelp("Print the highlights of an app.", valueName: "app"))
    var shelf: String?

    @Option(help: "With --shelf: how many highlights to leave out.")
    var offset: Int?

    @Option(help: "With --shelf: how many highlights to print at most (default: 20).")
    var limit: Int?

    @Option(help: ArgumentHelp("Explain why a link is, or is not, among the highlights of each app.", valueName: "url"))
    var explain: String?

    @Option(help: ArgumentHelp("With --explain: ask for one app.", valueName: "app"))
    var app: String?

    @Flag(help: "Print what the device did about each event.")
    var effects = false

    @OptionGroup var journal: Journal

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard [shelf != nil, explain != nil, effects].count(where: \.self) <= 1 else {
            throw ValidationError("only one of --shelf, --explain and --effects can be asked for")
        }
        guard app == nil || explain != nil else { throw ValidationError("--app goes with --explain") }
        guard shelf != nil || (offset ?? limit) == nil else {
            throw ValidationError("--offset and --limit go with --shelf")
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
        guard !apps.isEmpty else { throw CommandFailure.unusable("no app is on the device, so that none can have it") }
        let explanations = apps.map { device.sharing.explanation(of: url, for: $0) }
        try output.write(explanations) { $0.map(\.text).joined(separator: "\n\n") }
        guard explanations.contains(where: \.isSurfaced) else { throw CommandFailure.no() }
    }

    private func printEffects() throws {
        var device = DeviceModel()
        var writer = AnswerWriter<JournalEffect>(output.resolved) { $0.map(\.text).joined(separator: "\n") }
        try journal.forEachEntry { entry, line in
            for effect in device.apply(entry.event, at: entry.at).effects {
                try writer.write(JournalEffect(at: entry.at, line: line, event: entry.event.kind, effect: effect))
            }
        }
        if let end = journal.at {
            for effect in device.apply(.timePassed, at: end).effects {
                try writer.write(JournalEffect(at: end, line: nil, event: .timePassed, effect: effect))
            }
        }
        try writer.finish()
    }

    /// Says that an app is not on a device, and which are.
    static func missing(_ app: BundleIdentifier, on device: DeviceModel) -> String {
        let apps = device.sharing.apps.map(\.rawValue)
        let others = apps.isEmpty ? "no app is" : "these are: \(apps.joined(separator: ", "))"
        return "the app \(app) is not on the device; \(others)"
    }
}

/// What is on a device, in few words.
struct DeviceOverview: Encodable {
    /// The device's name; absent where the journal gives none.
    let name: String?

    /// The time that it is there.
    let clock: Timestamp

    /// When the passing of time alone changes something next.
    let nextDeadline: Timestamp?

    /// How things stand with each app's highlights.
    let apps: [AppOverview]

    /// How things stand with an app's highlights.
    struct AppOverview: Encodable {
        let app: BundleIdentifier
        let state: HighlightsState
        let total: Int
        let curated: Bool
    }

    init(_ device: DeviceModel) {
        name = device.name.isEmpty ? nil : device.name
        clock = device.sharing.clock
        nextDeadline = device.sharing.nextDeadline
        apps = device.sharing.apps.map { app in
            let page = device.sharing.page(of: app, limit: 0)
            return AppOverview(app: app, state: page.state, total: page.total, curated: page.curated)
        }
    }

    var text: String {
        let time = clock.rawValue == 0 ? "before anything happened" : "at \(clock.text)"
        guard !apps.isEmpty else { return "No app is on the device \(time)." }
        let rows = apps.map { [$0.app.rawValue, $0.state.rawValue, "\($0.total)", $0.curated ? "yes" : "no"] }
        return "\(name ?? "The device") \(time)\n"
            + TextTable(header: ["App", "State", "Highlights", "Curated"], rows: rows).text
    }
}
