internal import ArgumentParser

/// The `waypost provider` commands, which test providers.
struct ProviderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "provider",
        abstract: "Test whether a provider keeps APNs' rules.",
        subcommands: [ProviderTestCommand.self]
    )
}
