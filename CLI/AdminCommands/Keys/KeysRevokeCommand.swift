internal import ArgumentParser
internal import GatewayClient
internal import WaypostSchema

/// Revokes a key: `waypost keys revoke`.
struct KeysRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke a key: its tokens are none from now on, on connections that are open too.",
        discussion: "Exits 1 where there is no such key."
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @OptionGroup(title: "Keys") var namespace: NamespaceOptions

    @Argument(help: "The key's identifier.")
    var id: String

    func validate() throws {
        guard !id.isEmpty else { throw ValidationError("the identifier is empty") }
    }

    func run() async throws {
        try await reportingFailures {
            try await gateway.calling { client in
                try await client.removeKey(ProviderKeyID(rawValue: id), in: namespace.chosen)
            }
        }
    }
}
