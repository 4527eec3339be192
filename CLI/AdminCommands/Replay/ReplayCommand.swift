internal import ArgumentParser
internal import DeviceModel
internal import Highlights
internal import TextReports
internal import WaypostSchema

/// The `waypost replay` command, which replays a device's journal.
struct ReplayCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Replay a device's journal, and show what is on the device.",
        discussion: """
            A journal is JSON Lines with one event of the device per line, such as \
            {"at":1654594860000,"type":"messageReceived","message":{…}}; docs/journal.md lists all events.

            --effects prints the effects of each event instead of an overview of the device. 'waypost device shelf', \
            'search' and 'explain' read a journal with --journal.

            --at takes milliseconds since 1970 or a time such as 2022-06-07T09:41:00Z, and shows the device at that \
            time.
            """
    )

    @Flag(help: "Print the effects of each event.")
    var effects = false

    @OptionGroup var arguments: JournalArguments

    @OptionGroup var output: OutputOptions

    func perform() async throws {
        if effects { return try printEffects() }
        try output.write(DeviceOverview(try arguments.journal.replay()), text: \.text)
    }

    private func printEffects() throws {
        var device = DeviceModel()
        var writer: AnswerWriter<JournalEffect> = output.writer { $0.map(\.text).joined(separator: "\n") }
        try arguments.journal.forEachEntry { entry, line in
            for effect in device.apply(entry.event, at: entry.at).effects {
                try writer.write(JournalEffect(at: entry.at, line: line, event: entry.event.kind, effect: effect))
            }
        }
        if let end = arguments.at {
            for effect in device.apply(.system(.timePassed), at: end).effects {
                try writer.write(JournalEffect(at: end, line: nil, event: .system(.timePassed), effect: effect))
            }
        }
        try writer.finish()
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
