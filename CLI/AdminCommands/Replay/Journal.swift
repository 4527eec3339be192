internal import ArgumentParser
internal import DeviceModel
internal import GatewayClient
internal import Highlights
internal import WaypostSchema

/// A device's journal, whose entries are JSON Lines in the order of time.
struct Journal {
    /// The file; `-` is standard input.
    let path: String

    /// The time up to which the journal is replayed, if not to its end.
    let at: Timestamp?

    /// Calls `body` with each entry up to the time `at`, and with the number of its line.
    ///
    /// - Throws: `CommandFailure` that names the line, if a line cannot be read, and the errors of `body`.
    func forEachEntry(_ body: (JournalEntry, Int) throws -> Void) throws {
        var last = Timestamp(milliseconds: 0)
        try LineInput(files: [path]).forEachLine { line in
            let entry = try line.decoded(JournalEntry.self)
            guard (0...DeviceModel.latestTime.rawValue).contains(entry.at.rawValue) else {
                throw CommandFailure.unusable(
                    "\(line.file), line \(line.number): 'at' must be milliseconds since 1970, up to the year 9999"
                )
            }
            guard entry.at >= last else {
                throw CommandFailure.unusable(
                    "\(line.file), line \(line.number): 'at' is \(entry.at.rawValue), which is before the "
                        + "\(last.rawValue) of an earlier line; the times of a journal must not decrease"
                )
            }
            last = entry.at
            if let at, entry.at > at { return }
            try body(entry, line.number)
        }
    }

    /// Returns the device after the journal's events, and writes to standard error how many events changed nothing.
    func replayed() throws -> DeviceModel {
        var device = DeviceModel()
        var ignored = 0
        try forEachEntry { entry, _ in
            for case .system(.eventIgnored) in device.apply(entry.event, at: entry.at).effects { ignored += 1 }
        }
        if let at { _ = device.apply(.system(.timePassed), at: at) }
        if ignored > 0 {
            StandardError.write(
                "waypost: \(ignored) \(ignored == 1 ? "event" : "events") changed nothing; "
                    + "'waypost replay --effects' shows why"
            )
        }
        return device
    }
}

/// The arguments of a command that reads only journals.
struct JournalArguments: ParsableArguments {
    @Argument(help: ArgumentHelp("The journal; '-' or no file: standard input.", valueName: "journal"))
    var path = "-"

    @Option(
        help: ArgumentHelp("Show the device as it was at this time.", valueName: "time"),
        transform: Timestamp.init(argument:)
    )
    var at: Timestamp?

    var journal: Journal { Journal(path: path, at: at) }
}

/// The options of a command that reads a device of an agent, or the replay of a journal.
struct DeviceOrJournalOptions: ParsableArguments {
    @OptionGroup var device: DeviceOptions

    @Option(
        help: ArgumentHelp("Replay this journal instead of calling an agent; '-': standard input.", valueName: "file"),
        completion: .file()
    )
    var journal: String?

    @Option(
        help: ArgumentHelp("With --journal: show the device as it was at this time.", valueName: "time"),
        transform: Timestamp.init(argument:)
    )
    var at: Timestamp?

    func validate() throws {
        guard journal != nil else {
            if at != nil { throw ValidationError("--at requires --journal") }
            return
        }
        guard device.device == nil, device.agent.agent == nil, device.agent.readyFile == nil else {
            throw ValidationError("--journal replaces an agent: leave out --device, --agent and --ready-file")
        }
    }

    /// Returns the answer of the replay of a journal, or of the device of an agent.
    func read<Value>(
        replay: (DeviceModel) throws -> Value,
        call: (AgentClient, String) async throws -> Value
    ) async throws -> Value {
        if let journal { return try replay(try Journal(path: journal, at: at).replayed()) }
        return try await device.calling(call)
    }
}

extension DeviceModel {
    /// Returns a message that an app is not on the device, with the apps that are.
    func missing(_ app: BundleIdentifier) -> String {
        let apps = sharing.apps.map(\.rawValue)
        let others = apps.isEmpty ? "it has no apps" : "its apps are: \(apps.joined(separator: ", "))"
        return "the app \(app) is not on the device; \(others)"
    }
}
