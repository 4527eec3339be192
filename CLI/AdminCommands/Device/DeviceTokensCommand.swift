internal import ArgumentParser
internal import GatewayClient
internal import TextReports
internal import WaypostSchema

/// The `waypost device tokens` command, which shows the tokens of the apps on a device.
struct DeviceTokensCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "tokens",
        abstract: "Show the tokens of the apps on a device that have tokens of their own.",
        discussion: "The token of all other apps is that of the device, which 'waypost device list' shows."
    )

    @OptionGroup var device: DeviceOptions

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        let tokens = try await device.withDevice { agent, device in try await agent.tokens(of: device) }
        try output.write(tokens) { tokens in
            guard !tokens.isEmpty else { return "No app has a token of its own." }
            let rows = tokens.map { token in
                [
                    token.purpose.app.rawValue, token.purpose.kind.rawValue, token.purpose.name ?? "",
                    token.token?.rawValue ?? "not assigned yet",
                ]
            }
            return TextTable(header: ["App", "Kind", "Name", "Token"], rows: rows, untruncatedColumns: [3])
        }
    }
}
