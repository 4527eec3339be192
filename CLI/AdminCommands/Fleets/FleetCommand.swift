internal import ArgumentParser

/// The `waypost fleet` command: many devices in one process.
struct FleetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fleet",
        abstract: "Run thousands of devices in one process.",
        subcommands: [FleetRunCommand.self]
    )
}
