internal import ArgumentParser
internal import GatewayClient
internal import WaypostSchema

/// Lists the keys that provider tokens are verified with: `waypost keys list`.
struct KeysListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the keys that provider tokens are verified with, by identifier."
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @OptionGroup(title: "Keys") var namespace: NamespaceOptions

    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
        try await reportingFailures {
            let keys = try await gateway.calling { client in try await client.keys(in: namespace.chosen) }
            try KeyList.write(keys, output.resolved)
        }
    }
}

/// Keys in words.
enum KeyList {
    static func write(_ keys: [ProviderKey], _ format: OutputFormat) throws {
        var writer = AnswerWriter(format, table: table)
        for key in keys { try writer.write(key) }
        try writer.finish()
    }

    static func table(_ keys: [ProviderKey]) -> String {
        guard !keys.isEmpty else { return "There is no key." }
        let rows = keys.map { key in
            [
                key.id.rawValue,
                key.team.rawValue,
                key.topics.map { $0.map(\.rawValue).joined(separator: ", ") } ?? "all",
                key.environment?.rawValue ?? "both",
            ]
        }
        return TextTable(header: ["Identifier", "Team", "Topics", "Environment"], rows: rows).text
    }
}
