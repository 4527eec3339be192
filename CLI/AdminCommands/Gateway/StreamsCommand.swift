internal import ArgumentParser
internal import GatewayClient
internal import TextBasics
internal import TextReports
internal import WaypostSchema

/// The `waypost streams` commands, which list and end the event streams of devices.
struct StreamsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "streams",
        abstract: "List the open event streams of a gateway, and end some.",
        discussion: """
            A device receives notifications by the stream of its agent. In a cluster, each gateway has its own streams; \
            'waypost tokens list' shows the devices that are connected to any of them.
            """,
        subcommands: [StreamsListCommand.self, StreamsDisconnectCommand.self]
    )
}

extension GatewayClient {
    /// Calls `body` with each open stream of the namespace, in the order of the agents.
    fileprivate func forEachStream(_ body: (OpenStream) throws -> Void) async throws {
        var next: Int? = 0
        while let after = next {
            let page = try await streams(after: after)
            for stream in page.streams { try body(stream) }
            next = page.next
        }
    }
}

/// The `waypost streams list` command, which lists open streams.
struct StreamsListCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the open streams of a namespace, with what was sent and is not acknowledged.",
        discussion: "A stream is behind while its device's inbox has notifications that were not sent on it."
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @Flag(help: "Only streams that are behind, or have something that is not acknowledged.")
    var busy = false

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        var writer = output.writer(table: Self.table)
        try await gateway.withClient { client in
            try await client.forEachStream { stream in
                if !busy || stream.behind || stream.unacknowledged > 0 { try writer.write(stream) }
            }
        }
        try writer.finish()
    }

    static func table(_ streams: [OpenStream]) -> any TextPresentable {
        guard !streams.isEmpty else { return "There are no such streams." }
        let rows = streams.map { stream in
            [
                "\(stream.agent)", stream.devices.map(\.name).joined(separator: ", "),
                stream.devices.map(\.token.shortText).joined(separator: ", "), TimeText.duration(stream.age),
                "\(stream.unacknowledged)", stream.behind ? "behind" : "",
            ]
        }
        return TextTable(
            header: ["Agent", "Devices", "Tokens", "Open for", "Unacknowledged", "State"],
            rows: rows,
            droppableColumns: [2]
        ) { column, text in column == 5 && !text.isEmpty ? .yellow : nil }
    }
}

/// The `waypost streams disconnect` command, which ends streams.
struct StreamsDisconnectCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "disconnect",
        abstract: "End the streams of devices, as if the network had failed.",
        discussion: """
            Agents connect again after a moment. What a device has not acknowledged is sent again; transient \
            notifications are dropped. Exits with 1 if a device has no stream at this gateway.
            """
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @Argument(help: "The devices: names, or tokens or the starts of them.", completion: .registeredDevices)
    var devices: [String] = []

    @Flag(help: "End all streams of the namespace.")
    var all = false

    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        guard devices.isEmpty == all else { throw ValidationError("name the devices, or give --all") }
    }

    func perform() async throws {
        let endedStreams = try await gateway.withClient { client in
            let streams = try await streams(client)
            for stream in streams {
                do throws(CallError) {
                    try await client.disconnect(stream.agent)
                } catch {
                    // The stream may have ended in the meantime.
                    guard case .refused(404, _) = error else { throw error }
                }
            }
            return streams
        }
        try output.write(endedStreams) { streams in
            streams.isEmpty
                ? "There are no streams."
                : streams.map { "ended the stream of \($0.devices.map(\.name).joined(separator: ", "))" }
                    .joined(separator: "\n")
        }
    }

    /// Returns the streams that the arguments name.
    private func streams(_ client: GatewayClient) async throws -> [OpenStream] {
        var streams: [OpenStream] = []
        try await client.forEachStream { streams.append($0) }
        guard !all else { return streams }
        var selectedStreams: [OpenStream] = []
        for device in devices {
            let token = try await client.token(named: device)
            guard let stream = streams.first(where: { $0.devices.contains { $0.token == token } }) else {
                throw CommandFailure.failed("'\(device)' has no stream at this gateway; see 'waypost streams list'")
            }
            if !selectedStreams.contains(stream) { selectedStreams.append(stream) }
        }
        return selectedStreams
    }
}
