internal import ArgumentParser
internal import GatewayClient
internal import WaypostSchema

/// What goes wrong on purpose with what providers send: `waypost faults`.
struct FaultsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "faults",
        abstract: "Let sends over a gateway's provider API go wrong, so that a provider can be seen to cope with it.",
        subcommands: [FaultsAddCommand.self, FaultsListCommand.self, FaultsRemoveCommand.self]
    )
}

/// Asks for a fault: `waypost faults add`.
struct FaultsAddCommand: ReportingCommand {
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

    func perform() async throws {
        let scripted = try await gateway.calling { client in
            try await client.addFault(fault)
        }
        try output.write([scripted], table: FaultsListCommand.table)
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

/// Lists the faults that wait for sends: `waypost faults list`.
struct FaultsListCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the faults that wait for sends, in the order in which they came."
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        let faults = try await gateway.calling { client in try await client.faults() }
        try output.write(faults, table: Self.table)
    }

    /// Faults in words.
    static func table(_ faults: [ScriptedFault]) -> String {
        guard !faults.isEmpty else { return "No fault waits for sends." }
        let rows = faults.map { scripted in
            [
                scripted.id.rawValue,
                scripted.fault.token.shortText,
                scripted.fault.kind.rawValue,
                details(of: scripted.fault),
                scripted.left.map { "\($0)" } ?? "all",
            ]
        }
        return TextTable(header: ["Identifier", "Token", "Fault", "With", "Left"], rows: rows).text
    }

    private static func details(of fault: SendFault) -> String {
        let details: [String?] = [
            fault.status.map { "\($0)" },
            fault.reason?.rawValue,
            fault.timestamp.map { "since \($0.textWithMilliseconds)" },
            fault.milliseconds.map { "\($0) ms" },
            fault.frames.map { "\($0) frames" },
            fault.streams.map { "\($0) streams" },
        ]
        return details.compactMap { $0 }.joined(separator: ", ")
    }
}

/// Removes faults: `waypost faults remove`.
struct FaultsRemoveCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a fault, or all of a namespace.",
        discussion: "Exits 1 where no such fault waits; those that were used up are gone."
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @Argument(help: "The fault's identifier.")
    var id: String?

    @Flag(help: "Remove all faults of the namespace.")
    var all = false

    func validate() throws {
        guard (id == nil) == all, id?.isEmpty != true else { throw ValidationError("either an identifier or --all") }
    }

    func perform() async throws {
        try await gateway.calling { client in
            try await client.removeFault(id.map(FaultID.init(rawValue:)))
        }
    }
}
