internal import ArgumentParser
internal import Foundation
internal import GatewayClient
internal import WaypostSchema

/// The keys that provider tokens are signed with: `waypost keys`.
struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Make, import, list and revoke the keys that provider tokens are signed with.",
        subcommands: [KeysCreateCommand.self, KeysImportCommand.self, KeysListCommand.self, KeysRevokeCommand.self]
    )
}

/// Makes a key: `waypost keys create`.
struct KeysCreateCommand: ReportingCommand {
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

/// Registers a key that there is: `waypost keys import`.
struct KeysImportCommand: ReportingCommand {
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

    func perform() async throws {
        try await options.register(try KeyFile(reading: file, id: id), at: gateway, output)
    }
}

/// Lists the keys that provider tokens are verified with: `waypost keys list`.
struct KeysListCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the keys that provider tokens are verified with, by identifier."
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        let keys = try await gateway.calling { client in try await client.keys() }
        try output.write(keys, table: Self.table)
    }

    /// Keys in words.
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

/// Revokes a key: `waypost keys revoke`.
struct KeysRevokeCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke a key: its tokens are none from now on, on connections that are open too.",
        discussion: "Exits 1 where there is no such key."
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @Argument(help: "The key's identifier.")
    var id: String

    func validate() throws {
        guard !id.isEmpty else { throw ValidationError("the identifier is empty") }
    }

    func perform() async throws {
        try await gateway.calling { client in
            try await client.removeKey(ProviderKeyID(rawValue: id))
        }
    }
}

/// What a key is good for.
struct KeyOptions: ParsableArguments {
    @Option(help: "The team that the key belongs to, the iss of its tokens.")
    var team: String

    @Option(help: "A topic that the key is for, with its suffixes; may be repeated (default: every topic of the team).")
    var topic: [String] = []

    @Option(help: "The environment that the key is for, sandbox or production (default: both).")
    var environment: NameArgument<PushEnvironment>?

    /// Registers the public half of a key, and writes what the gateway has of it then.
    func register(_ file: KeyFile, at gateway: GatewayOptions, _ output: OutputOptions) async throws {
        let added = try await gateway.calling { client in
            try await client.addKey(key(file.id, publicKey: file.publicKey))
        }
        try output.write([added], table: KeysListCommand.table)
    }

    /// The key with an identifier and a public half.
    func key(_ id: ProviderKeyID, publicKey: String) -> ProviderKey {
        ProviderKey(
            id: id,
            team: TeamID(rawValue: team),
            publicKey: publicKey,
            topics: topic.isEmpty ? nil : topic.map(Topic.init(rawValue:)),
            environment: environment?.value
        )
    }
}
