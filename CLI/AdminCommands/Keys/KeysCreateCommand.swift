internal import ArgumentParser
internal import Foundation
internal import GatewayClient
internal import WaypostSchema

/// Makes a key: `waypost keys create`.
struct KeysCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Make a key, write it to a file and register what verifies its tokens.",
        discussion: """
            The file is what Apple's key pages hand out, a .p8 that every APNs client reads. Where the gateway does not \
            take the key, there is no file either.
            """
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @OptionGroup(title: "Key") var options: KeyOptions

    @Option(help: "The key's identifier, the kid of its tokens (default: ten letters and digits that are made).")
    var id: String?

    @Option(help: ArgumentHelp("The file (default: AuthKey_ID.p8); it must not be there.", valueName: "file"))
    var out: String?

    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
        try await reportingFailures {
            let (file, path) = try KeyFile.make(path: out, id: id)
            do {
                let key = options.key(file.id, publicKey: file.publicKey)
                let added = try await gateway.calling { client in
                    try await client.addKey(key, in: options.namespace.chosen)
                }
                try KeyList.write([added], output.resolved)
            } catch {
                try? FileManager.default.removeItem(atPath: path)
                throw error
            }
            StandardError.write("the private key is in \(path)")
        }
    }
}
