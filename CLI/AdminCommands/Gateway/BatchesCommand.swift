internal import ArgumentParser
internal import GatewayClient
internal import TextReports
internal import WaypostSchema

/// The `waypost batches` commands, which show the states of batches.
struct BatchesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batches",
        abstract: "Show how far a batch is, and wait until all of it has ended.",
        subcommands: [BatchesShowCommand.self, BatchesWaitCommand.self]
    )

    /// Returns the state of a batch as a table.
    static func table(_ status: BatchStatus) -> any TextPresentable {
        let states = status.states.sorted { $0.key.rawValue < $1.key.rawValue }
        let counts = "\(status.accepted) accepted, \(status.rejected) rejected"
        let summary = "batch \(status.id): \(counts)\(phaseText(of: status))"
        guard !states.isEmpty else { return summary }
        let rows = states.map { [$0.key.rawValue, "\($0.value)"] }
        let table = TextTable(header: ["State", "Notifications"], rows: rows) { _, text in
            StateColor.color(forCell: text)
        }
        return TextParts([summary, table])
    }

    private static func phaseText(of status: BatchStatus) -> String {
        switch status.phase {
        case .pending: ", not stored yet"
        case .refused: ", refused: \(status.error?.message ?? "")"
        case .committed, nil: ""
        }
    }
}

/// The `waypost batches show` command, which shows the state of a batch.
struct BatchesShowCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show how many notifications of a batch are in each state.",
        discussion: "Exits with 1 if the gateway does not know the batch."
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @Argument(help: "The batch's identifier.")
    var id: String

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        let status = try await gateway.withClient { client in try await client.status(of: BatchID(rawValue: id)) }
        try output.write(status, text: BatchesCommand.table)
    }
}

/// The `waypost batches wait` command, which waits until a batch has ended.
struct BatchesWaitCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "wait",
        abstract: "Wait until every notification of a batch has ended.",
        discussion: "Exits with 1 if the time is over, or if the gateway does not know the batch."
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @Argument(help: "The batch's identifier.")
    var id: String

    @Option(
        help: ArgumentHelp("The maximum time to wait: 30s, 5m, or seconds (default: 60s).", valueName: "duration"),
        transform: DurationArgument.init
    )
    var timeout = DurationArgument(seconds: 60)

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        let status = try await gateway.withClient { client in
            try await client.settledStatus(of: BatchID(rawValue: id), within: timeout.seconds)
        }
        try output.write(status, text: BatchesCommand.table)
        guard status.isSettled else {
            throw CommandFailure.failed("the time is over; not every notification has ended")
        }
    }
}
