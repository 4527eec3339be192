internal import ArgumentParser
internal import GatewayClient
internal import WaypostSchema

/// Registers a key that there is: `waypost keys import`.
struct KeysImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Register a key that there is, a .p8 file: what verifies its tokens.",
        discussion: "The secret of it stays where it is. A key that has the identifier already is replaced."
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @OptionGroup(title: "Key") var options: KeyOptions

    @Option(help: "The key's identifier (default: what the file is named, AuthKey_ID.p8).")
    var id: String?

    @Argument(help: "The file.")
    var file: String

    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
        try await reportingFailures {
            let file = try KeyFile(reading: file, id: id)
            let key = options.key(file.id, publicKey: file.publicKey)
            let added = try await gateway.calling { client in
                try await client.addKey(key, in: options.namespace.chosen)
            }
            try KeyList.write([added], output.resolved)
        }
    }
}
