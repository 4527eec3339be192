internal import ArgumentParser
internal import GatewayClient
internal import WaypostSchema

/// Asks for a fault: `waypost faults add`.
struct FaultsAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Let the next sends to a device go wrong.",
        discussion: """
            respond   the answer is --reason, with the status that goes with it or --status
            delay     the answer comes --milliseconds later; what it says was done by then
            hang      there is no answer
            reset     the stream is reset, over HTTP/1.1 the connection
            goAway    the connection ends with --reason in its GOAWAY frame, sent --frames times
            throttle  a rejection leaves the connection --streams streams until the next acceptance

            A send takes the first fault that waits for its token. Exits 2 where the gateway does not take the fault.
            """
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @OptionGroup(title: "Fault") var namespace: NamespaceOptions

    @Argument(help: "The token of the device that is sent to.")
    var token: String

    @Argument(help: "What goes wrong: respond, delay, hang, reset, goAway or throttle.")
    var kind: NameArgument<SendFault.Kind>

    @Option(help: "With how many sends; all, until the fault is removed, where absent.")
    var times: Int?

    @Option(help: "The reason of respond, such as TooManyRequests, or of goAway.")
    var reason: String?

    @Option(help: "The status of respond, 400 to 599.")
    var status: Int?

    @Option(help: "Since when the device is gone, in milliseconds since 1970, for a respond of status 410.")
    var timestamp: Int?

    @Option(help: "How long delay waits.")
    var milliseconds: Int?

    @Option(help: "How often goAway sends its frame, 1 or 2.")
    var frames: Int?

    @Option(help: "How many streams throttle leaves.")
    var streams: Int?

    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
        try await reportingFailures {
            let scripted = try await gateway.calling { client in
                try await client.addFault(fault, in: namespace.chosen)
            }
            try FaultList.write([scripted], output.resolved)
        }
    }

    private var fault: SendFault {
        SendFault(
            token: DeviceToken(rawValue: token),
            kind: kind.value,
            times: times,
            reason: reason.map(RejectionReason.init(rawValue:)),
            status: status,
            timestamp: timestamp.map(Timestamp.init(milliseconds:)),
            milliseconds: milliseconds,
            frames: frames,
            streams: streams
        )
    }
}
