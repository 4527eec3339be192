internal import ArgumentParser
internal import GatewayClient
internal import TextReports
internal import WaypostSchema

/// The `waypost top` command, which shows the activity of a gateway continuously.
struct TopCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "top",
        abstract: "Watch a gateway: rates, backlog, streams, errors by reason, and the gateways of a cluster.",
        discussion: "Runs until it is interrupted. In a pipe, each line is the JSON of one interval."
    )

    /// The control characters that clear the terminal.
    private static let clearSequence = "\u{1B}[H\u{1B}[2J"

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @Option(
        help: ArgumentHelp("The time between two looks: 500ms, 2s, or seconds (default: 1s).", valueName: "duration"),
        transform: DurationArgument.init
    )
    var interval = DurationArgument(seconds: 1)

    @Option(help: "The number of looks (default: until interrupted).")
    var count: Int?

    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        guard interval.milliseconds >= 100 else { throw ValidationError("--interval must be at least 100ms") }
        guard count.map({ $0 > 0 }) ?? true else { throw ValidationError("--count must be at least 1") }
    }

    func perform() async throws {
        let command = self
        do {
            try await InterruptibleRun.run { try await command.gateway.withClient { try await command.watch($0) } }
        } catch is CancellationError {
            // The user interrupted the command, which is how it ends.
        }
    }

    private func watch(_ client: GatewayClient) async throws {
        var (digestBefore, timeBefore) = (MetricsDigest(try await client.metrics()), ContinuousClock.now)
        var remaining = count ?? .max
        while remaining > 0 {
            try await Task.sleep(for: .milliseconds(interval.milliseconds))
            let digest = MetricsDigest(try await client.metrics())
            let now = ContinuousClock.now
            try show(
                TopView(from: digestBefore, to: digest, seconds: (now - timeBefore) / .seconds(1)),
                client,
                health: try await client.readiness()
            )
            (digestBefore, timeBefore) = (digest, now)
            remaining -= 1
        }
    }

    private func show(_ view: TopView, _ client: GatewayClient, health: Health) throws {
        guard output.resolvedFormat == .table else { return try StandardOutput.write(try JSONOutput.line(view) + "\n") }
        let style = TextStyle.standardOutput
        let text = view.text(of: client.serviceURL, health).text(in: style)
        try StandardOutput.write((style.columns == nil ? "" : Self.clearSequence) + text + "\n")
    }
}
