internal import ArgumentParser

/// The keys that provider tokens are signed with: `waypost keys`.
struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Make, import, list and revoke the keys that provider tokens are signed with.",
        subcommands: [KeysCreateCommand.self, KeysImportCommand.self, KeysListCommand.self, KeysRevokeCommand.self]
    )
}
