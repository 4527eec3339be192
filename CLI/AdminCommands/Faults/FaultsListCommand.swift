internal import ArgumentParser
internal import GatewayClient
internal import WaypostSchema

/// Lists the faults that wait for sends: `waypost faults list`.
struct FaultsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the faults that wait for sends, in the order in which they came."
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @OptionGroup(title: "Faults") var namespace: NamespaceOptions

    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
        try await reportingFailures {
            let faults = try await gateway.calling { client in try await client.faults(in: namespace.chosen) }
            try FaultList.write(faults, output.resolved)
        }
    }
}

/// Faults in words.
enum FaultList {
    static func write(_ faults: [ScriptedFault], _ format: OutputFormat) throws {
        var writer = AnswerWriter(format, table: table)
        for fault in faults { try writer.write(fault) }
        try writer.finish()
    }

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
