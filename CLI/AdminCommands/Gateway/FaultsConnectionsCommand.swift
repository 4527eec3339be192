internal import ArgumentParser
internal import GatewayClient
internal import PushRules
internal import TextReports
internal import WaypostSchema

/// The `waypost faults connections` command, which lets a fault happen on the open connections of providers.
struct FaultsConnectionsCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "connections",
        abstract: "Inject a fault into every open connection of providers.",
        discussion: """
            goAway        send --reason in --frames GOAWAY frames, and answer what has arrived; with --keep-open,
                          do not close the socket then
            silence       read and answer nothing any more, and close nothing
            limitStreams  announce --streams streams, also on later connections; without it, the gateway's setting
            respond       answer every further request for a device with --reason, and its status or --status;
                          without --reason, with no body

            Only limitStreams affects later connections. Exits with 2 if the gateway refuses the fault.
            """
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @Argument(help: "The fault: goAway, silence, limitStreams or respond.")
    var kind: NameArgument<ConnectionFault.Kind>

    @Option(help: "The reason for respond, such as InternalServerError, or for goAway (default: Shutdown).")
    var reason: String?

    @Option(help: "The status for respond, 400 to 599; without --reason, the answer has no body.")
    var status: Int?

    @Option(help: "The number of GOAWAY frames, 1 or 2.")
    var frames: Int?

    @Flag(help: "Do not close the socket after GOAWAY.")
    var keepOpen = false

    @Option(help: "The number of streams that limitStreams allows.")
    var streams: Int?

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        if let warning = fault.warning { StandardError.write("warning: \(warning)") }
        let receipt = try await gateway.withClient { client in try await client.affectConnections(fault) }
        try output.write(receipt) { "Affected connections: \($0.connections)." }
    }

    private var fault: ConnectionFault {
        ConnectionFault(
            kind.value,
            reason: reason.map(RejectionReason.init(rawValue:)),
            status: status,
            frames: frames,
            keepsOpen: keepOpen ? true : nil,
            streams: streams
        )
    }
}
