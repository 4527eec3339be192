internal import ArgumentParser
internal import GatewayClient
internal import PushRules
internal import TextBasics
internal import TextReports
internal import WaypostSchema

/// The `waypost faults` commands, which inject faults into provider requests.
struct FaultsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "faults",
        abstract: "Inject faults into requests to a gateway's provider API, to test how a provider handles them.",
        subcommands: [
            FaultsAddCommand.self, FaultsConnectionsCommand.self, FaultsListCommand.self, FaultsRemoveCommand.self,
        ]
    )
}

/// The `waypost faults add` command, which adds a fault.
struct FaultsAddCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Inject faults into the next requests for a device, or for all devices.",
        discussion: """
            respond   answer with --reason, and its status or --status; without --reason, with no body
            delay     process the request at once, and answer --milliseconds later
            hang      send no answer
            reset     reset the stream; over HTTP/1.1, the connection
            goAway    end the connection with --reason, in --frames GOAWAY frames
            throttle  after a rejection, allow --streams streams until an acceptance

            A request gets the first pending fault for its token or for all devices, unless --probability or \
            --pattern excludes it. Exits with 2 if the gateway refuses the fault.
            """
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @Argument(
        help: """
            The device: its name, or the start of its token; a whole token need not have a device yet. Leave it out with \
            --all-devices.
            """,
        completion: .registeredDevices
    )
    var device: String?

    @Argument(help: "The fault: respond, delay, hang, reset, goAway or throttle.")
    var kind: NameArgument<SendFault.Kind>?

    @Flag(help: "Inject the fault into requests for every device of the namespace.")
    var allDevices = false

    @Option(help: "The number of requests that get the fault (default: all, until the fault is removed).")
    var times: Int?

    @Option(help: "The reason for respond, such as TooManyRequests, or for goAway.")
    var reason: String?

    @Option(help: "The status for respond, 400 to 599; without --reason, the answer has no body.")
    var status: Int?

    @Option(help: "For respond with status 410: when the device was unregistered, in milliseconds since 1970.")
    var timestamp: Int?

    @Option(help: "The delay of the answer, in milliseconds.")
    var milliseconds: Int?

    @Option(help: "The number of GOAWAY frames, 1 or 2.")
    var frames: Int?

    @Option(help: "The number of streams that throttle allows.")
    var streams: Int?

    @Option(help: "The share of the requests that get the fault, greater than 0 and at most 1.")
    var probability: Double?

    @Option(help: "The seed of --probability: the same one chooses the same requests (default: 0).")
    var seed: Int?

    @Option(
        help: """
            The requests that get the fault, in turn and again from the start: x for the fault, - for none; \
            --pattern=--x is every third.
            """
    )
    var pattern: String?

    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        _ = try target()
    }

    func perform() async throws {
        let target = try target()
        if let warning = fault(target.kind, for: nil).warning { StandardError.write("warning: \(warning)") }
        let scriptedFault = try await gateway.withClient { client in
            var token: DeviceToken?
            if let device = target.device { token = try await self.token(of: device, client) }
            return try await client.addFault(fault(target.kind, for: token))
        }
        try output.write(scriptedFault) { FaultsListCommand.table([$0]) }
    }

    /// Returns the device and the kind; with `--all-devices`, the kind is the only argument.
    ///
    /// - Throws: `ValidationError`.
    private func target() throws -> (device: String?, kind: SendFault.Kind) {
        guard let device else { throw ValidationError("give a device, or --all-devices, and the kind of the fault") }
        guard allDevices else {
            guard let kind else {
                throw ValidationError("give a device and the kind of the fault, or the kind and --all-devices")
            }
            return (device, kind.value)
        }
        guard kind == nil else {
            throw ValidationError("--all-devices excludes the device '\(device)'; leave out one of them")
        }
        guard let onlyKind = SendFault.Kind(rawValue: device) else {
            let names = SendFault.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("there is no fault '\(device)'; use \(names)")
        }
        return (nil, onlyKind)
    }

    /// Returns the token of the device, or the argument if it is a token that no device has.
    private func token(of device: String, _ client: GatewayClient) async throws -> DeviceToken {
        do {
            let token = try await client.token(named: device)
            _ = try await client.device(token)
            return token
        } catch let error as CallError {
            guard case .refused(404, _) = error else { throw error }
        } catch let failure as CommandFailure {
            guard DeviceToken(hexadecimal: device) != nil, failure.status == .failed else { throw failure }
        }
        StandardError.write("warning: no device has the token \(device); the fault waits for a request with it")
        return DeviceToken(rawValue: device)
    }

    private func fault(_ kind: SendFault.Kind, for token: DeviceToken?) -> SendFault {
        SendFault(
            token: token,
            kind: kind,
            times: times,
            reason: reason.map(RejectionReason.init(rawValue:)),
            status: status,
            timestamp: timestamp.map(Timestamp.init(milliseconds:)),
            milliseconds: milliseconds,
            frames: frames,
            streams: streams,
            probability: probability,
            seed: seed,
            pattern: pattern
        )
    }
}

/// The `waypost faults list` command, which lists the pending faults.
struct FaultsListCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the pending faults, in the order they were added."
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        let faults = try await gateway.withClient { client in try await client.faults() }
        try output.write(faults, table: Self.table)
    }

    /// Returns faults as a table.
    static func table(_ faults: [ScriptedFault]) -> String {
        guard !faults.isEmpty else { return "There are no faults." }
        let rows = faults.map { scriptedFault in
            [
                scriptedFault.id.rawValue,
                scriptedFault.fault.token?.shortText ?? "all devices",
                scriptedFault.fault.kind.rawValue,
                details(of: scriptedFault.fault),
                scriptedFault.left.map { "\($0)" } ?? "all",
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
            fault.probability.map { "probability \($0)" },
            fault.seed.map { "seed \($0)" },
            fault.pattern.map { "pattern \($0)" },
        ]
        return details.compactMap { $0 }.joined(separator: ", ")
    }
}

/// The `waypost faults remove` command, which removes faults.
struct FaultsRemoveCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a fault, or all faults of a namespace.",
        discussion: "Exits with 1 if there is no such fault. Faults that are used up are removed automatically."
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @Argument(help: "The fault's identifier.")
    var id: String?

    @Flag(help: "Remove all faults of the namespace.")
    var all = false

    func validate() throws {
        guard (id == nil) == all, id?.isEmpty != true else { throw ValidationError("give an identifier or --all") }
    }

    func perform() async throws {
        try await gateway.withClient { client in
            try await client.removeFault(id.map(FaultID.init(rawValue:)))
        }
    }
}
