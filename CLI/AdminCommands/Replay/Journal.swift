internal import ArgumentParser
internal import DeviceModel
internal import WaypostSchema

/// The options for a device's journal, whose entries are JSON Lines in the order of time.
struct Journal: ParsableArguments {
    @Argument(help: ArgumentHelp("The journal; '-' or no file: standard input.", valueName: "journal"))
    var path = "-"

    @Option(
        help: ArgumentHelp("Show the device as it was at this time.", valueName: "time"),
        transform: Timestamp.init(argument:)
    )
    var at: Timestamp?

    /// Calls `body` with each entry up to the time of `--at`, and with the number of its line.
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
