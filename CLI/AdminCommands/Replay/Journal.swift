internal import ArgumentParser
internal import DeviceModel
internal import WaypostSchema

/// A device's journal: entries as JSON Lines, from the first to the last.
struct Journal: ParsableArguments {
    @Argument(help: ArgumentHelp("The journal; '-' or none: standard input.", valueName: "journal"))
    var path = "-"

    @Option(
        help: ArgumentHelp("The device as it was at this time.", valueName: "time"),
        transform: Timestamp.init(argument:)
    )
    var at: Timestamp?

    /// Calls `body` with each entry up to that time and the number of its line.
    ///
    /// - Throws: `CommandFailure` naming the line that cannot be read, and what `body` throws.
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
                    "\(line.file), line \(line.number): 'at' is \(entry.at.rawValue), before the "
                        + "\(last.rawValue) of an earlier line; a journal goes forward in time"
                )
            }
            last = entry.at
            if let at, entry.at > at { return }
            try body(entry, line.number)
        }
    }

    /// Returns the device that the journal leads to; says on standard error how many events changed nothing.
    func replayed() throws -> DeviceModel {
        var device = DeviceModel()
        var ignored = 0
        try forEachEntry { entry, _ in
            for case .eventIgnored in device.apply(entry.event, at: entry.at).effects { ignored += 1 }
        }
        if let at { _ = device.apply(.timePassed, at: at) }
        if ignored > 0 {
            StandardError.write(
                "waypost: \(ignored) \(ignored == 1 ? "event" : "events") changed nothing; --effects says why"
            )
        }
        return device
    }
}
