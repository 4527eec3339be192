internal import ArgumentParser
internal import Foundation
internal import GatewayClient
internal import TextReports
internal import WaypostSchema

/// The `waypost keys` commands, which manage the keys for provider tokens.
struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Create, import, list and revoke the keys that provider tokens are signed with.",
        subcommands: [KeysCreateCommand.self, KeysImportCommand.self, KeysListCommand.self, KeysRevokeCommand.self]
    )
}

/// The `waypost keys create` command, which creates a key.
struct KeysCreateCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create a key, write it to a file and register it with the gateway.",
        discussion: """
            The file is a .p8 file like Apple's, which every APNs client can read. If the gateway refuses the key, the \
            file is removed.
            """
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @OptionGroup(title: "Key") var options: KeyOptions

    @Option(help: "The key's identifier, the kid of its tokens (default: ten generated letters and digits).")
    var id: String?

    @Option(help: ArgumentHelp("The file (default: AuthKey_ID.p8); it must not exist.", valueName: "file"))
    var out: String?

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        let (file, path) = try KeyFile.make(path: out, id: id)
        do {
            try await options.register(file, at: gateway, output)
        } catch {
            try? FileManager.default.removeItem(atPath: path)
            throw error
        }
        StandardError.write("the private key is in \(path)")
    }
}

/// The `waypost keys import` command, which registers an existing key.
struct KeysImportCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Register an existing key, a .p8 file, with the gateway.",
        discussion: "The private half of the key is not sent. A key with the same identifier is replaced."
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @OptionGroup(title: "Key") var options: KeyOptions

    @Option(help: "The key's identifier (default: the ID in the file's name, AuthKey_ID.p8).")
    var id: String?

    @Argument(help: "The key's file.")
    var file: String

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        try await options.register(try KeyFile(reading: file, id: id), at: gateway, output)
    }
}

/// The `waypost keys list` command, which lists the keys for provider tokens.
struct KeysListCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the keys that verify provider tokens, by identifier."
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        let keys = try await gateway.withClient { client in try await client.keys() }
        try output.write(keys, table: Self.table)
    }

    /// Returns keys as a table.
    static func table(_ keys: [ProviderKey]) -> any TextPresentable {
        guard !keys.isEmpty else { return "There are no keys." }
        let rows = keys.map { key in
            [
                key.id.rawValue,
                key.team.rawValue,
                key.topics.map { $0.map(\.rawValue).joined(separator: ", ") } ?? "all",
                key.environment?.rawValue ?? "both",
            ]
        }
        return TextTable(header: ["Identifier", "Team", "Topics", "Environment"], rows: rows)
    }
}

/// The `waypost keys revoke` command, which revokes a key.
struct KeysRevokeCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke a key: its tokens become invalid at once, also on open connections.",
        discussion: "Exits with 1 if there is no such key."
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @Argument(help: "The key's identifier.")
    var id: String

    func validate() throws {
        guard !id.isEmpty else { throw ValidationError("the identifier must not be empty") }
    }

    func perform() async throws {
        try await gateway.withClient { client in
            try await client.removeKey(ProviderKeyID(rawValue: id))
        }
    }
}

/// The options that describe a key.
struct KeyOptions: ParsableArguments {
    @Option(help: "The team of the key, the iss of its tokens.")
    var team: String

    @Option(
        name: .customLong("topic"),
        help: "A topic of the key, with its suffixes; can be repeated (default: every topic of the team)."
    )
    var topics: [String] = []

    @Option(help: "The environment of the key: sandbox or production (default: both).")
    var environment: NameArgument<PushEnvironment>?

    /// Registers the public key of a file, and writes the key as the gateway returns it.
    func register(_ file: KeyFile, at gateway: GatewayOptions, _ output: OutputOptions) async throws {
        let addedKey = try await gateway.withClient { client in
            try await client.addKey(key(file.id, publicKey: file.publicKey))
        }
        try output.write(addedKey) { KeysListCommand.table([$0]) }
    }

    /// Returns the key with an identifier and a public key.
    func key(_ id: ProviderKeyID, publicKey: String) -> ProviderKey {
        ProviderKey(
            id: id,
            team: TeamID(rawValue: team),
            publicKey: publicKey,
            topics: topics.isEmpty ? nil : topics.map(Topic.init(rawValue:)),
            environment: environment?.value
        )
    }
}
