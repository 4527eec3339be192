internal import ArgumentParser

/// What goes wrong on purpose with what providers send: `waypost faults`.
struct FaultsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "faults",
        abstract: "Let sends over a gateway's provider API go wrong, so that a provider can be seen to cope with it.",
        subcommands: [FaultsAddCommand.self, FaultsListCommand.self, FaultsRemoveCommand.self]
    )
}
