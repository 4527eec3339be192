internal import ArgumentParser
internal import DeviceModel
internal import WaypostSchema

/// A device's journal: entries as JSON Lines, from the first to the last.
struct Journal: ParsableArguments {
    @Argument(help: ArgumentHelp("The journal; '-' or none: standard input.", valueName: "journal"))
    var path = "-"

    @Option(help: ArgumentHelp("The device as it was at this time.", valueName: "time"), transform: TimeArgument.init)
    var at: TimeArgument?

    /// When to stop; entries after it are read and left out.
    var end: Timestamp? {
        at?.timestamp
    }

    /// Calls `body` with each entry and the number of its line.
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
            if let end, entry.at > end { return }
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
        if let end { _ = device.apply(.timePassed, at: end) }
        if ignored > 0 {
            StandardError.write(
                "waypost: \(ignored) \(ignored == 1 ? "event" : "events") changed nothing; --effects says why"
            )
        }
        return device
    }
}
