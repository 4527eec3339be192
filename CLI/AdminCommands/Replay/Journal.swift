internal import ArgumentParser
internal import DeviceModel
internal import GatewayClient
internal import Highlights
internal import JSONScanning
internal import WaypostSchema

/// A device's journal, whose entries are JSON Lines in the order of time.
struct Journal {
    /// The file; `-` is standard input.
    let path: String

    /// The time up to which the journal is replayed; `nil` for its end.
    let endTime: Timestamp?

    /// The maximum number of warnings about unknown keys.
    private static let maximumWarnings = 10

    /// The keys that an agent adds to each line of its file.
    private static let keysOfFiles: Set = ["safe", "checksum"]

    /// Calls `body` with each entry up to the end time, and with the number of its line.
    ///
    /// A line may also be a page of the journal, as the API of an agent returns it.
    ///
    /// - Throws: `CommandFailure` that names the line, if a line cannot be read, and the errors of `body`.
    func forEachEntry(_ body: (JournalEntry, Int) throws -> Void) throws {
        var previousTime = Timestamp(milliseconds: 0)
        var warningCount = 0
        try LineInput(files: [path]).forEachLine { line in
            let (entries, unknownKeys) = try Self.entries(in: line)
            let keys = unknownKeys.filter { !($0.place.isEmpty && Self.keysOfFiles.contains($0.name)) }
            for key in keys.prefix(Self.maximumWarnings - warningCount) {
                StandardError.write("waypost: \(line.file), line \(line.number): \(key.sentence); it is ignored")
                warningCount += 1
            }
            for entry in entries {
                try check(entry, after: previousTime, in: line)
                previousTime = entry.at
                if let endTime, entry.at > endTime { continue }
                try body(entry, line.number)
            }
        }
    }

    private static func entries(in line: LineInput.Line) throws -> ([JournalEntry], [UnknownKey]) {
        if try line.decoded(JSONValue.self)["entries"] != nil {
            let (page, unknownKeys) = try line.decodedWithUnknownKeys(JournalPage.self)
            return (page.entries, unknownKeys)
        }
        let (entry, unknownKeys) = try line.decodedWithUnknownKeys(JournalEntry.self)
        return ([entry], unknownKeys)
    }

    /// Throws if the time of an entry cannot be used.
    private func check(
        _ entry: JournalEntry,
        after previousTime: Timestamp,
        in line: LineInput.Line
    ) throws(CommandFailure) {
        guard (0...DeviceModel.latestTime.rawValue).contains(entry.at.rawValue) else {
            throw .unusable(
                "\(line.file), line \(line.number): 'at' must be milliseconds since 1970, up to the year 9999"
            )
        }
        guard entry.at >= previousTime else {
            throw .unusable(
                "\(line.file), line \(line.number): 'at' is \(entry.at.rawValue), which is before the "
                    + "\(previousTime.rawValue) of an earlier line; the times of a journal must not decrease"
            )
        }
    }

    /// Replays the events on a new device, and writes to standard error how many of them changed nothing.
    func replay() throws -> DeviceModel {
        var device = DeviceModel()
        var ignoredCount = 0
        try forEachEntry { entry, _ in
            for case .system(.eventIgnored) in device.apply(entry.event, at: entry.at).effects { ignoredCount += 1 }
        }
        if let endTime { _ = device.apply(.system(.timePassed), at: endTime) }
        if ignoredCount > 0 {
            StandardError.write(
                "waypost: \(ignoredCount) \(ignoredCount == 1 ? "event" : "events") changed nothing; "
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

    var journal: Journal { Journal(path: path, endTime: at) }
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
        if let journal { return try replay(try Journal(path: journal, endTime: at).replay()) }
        return try await device.withDevice(call)
    }
}

extension DeviceModel {
    /// Returns a message that an app is not on the device, with the apps that are.
    func missingAppMessage(for app: BundleIdentifier) -> String {
        "the app \(app) is not on the device; \(app.hint(among: sharing.apps))"
    }
}
