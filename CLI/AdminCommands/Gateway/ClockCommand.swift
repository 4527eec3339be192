internal import ArgumentParser
internal import GatewayClient
internal import TextReports
internal import WaypostSchema

/// The `waypost clock` commands, which read and move the clock of a namespace.
struct ClockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clock",
        abstract: "Show the clock of a namespace, and move it forward (with 'waypost-gateway --clock manual').",
        subcommands: [ClockShowCommand.self, ClockAdvanceCommand.self],
        defaultSubcommand: ClockShowCommand.self
    )

    /// Returns the reading of a clock as text.
    static func text(_ reading: ClockReading) -> any TextPresentable {
        "\(reading.now.textWithMilliseconds)  (\(reading.now.rawValue) ms, \(reading.clock.rawValue) clock)"
    }
}

/// The `waypost clock show` command, which shows a clock.
struct ClockShowCommand: ReportingCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show the time of a namespace.")

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        try output.write(try await gateway.withClient { client in try await client.clock() }, text: ClockCommand.text)
    }
}

/// The `waypost clock advance` command, which moves a clock forward.
struct ClockAdvanceCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "advance",
        abstract: "Move a manual clock forward, and return once all that follow it have done what was due.",
        usage: "waypost clock advance (<duration> | --to <time>)"
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @Argument(help: "The time by which the clock moves, such as 90s, 20m, 2h or 1d.", transform: DurationArgument.init)
    var duration: DurationArgument?

    @Option(
        help: ArgumentHelp("The time to which the clock moves.", valueName: "time"),
        transform: Timestamp.init(argument:)
    )
    var to: Timestamp?

    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        guard (duration == nil) != (to == nil) else { throw ValidationError("give either a duration, or --to") }
    }

    func perform() async throws {
        let reading = try await gateway.withClient { client in
            try await client.advanceClock(ClockAdvance(by: duration?.milliseconds, to: to))
        }
        try output.write(reading, text: ClockCommand.text)
    }
}
