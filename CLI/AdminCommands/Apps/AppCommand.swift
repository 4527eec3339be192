internal import ArgumentParser

/// Apps as processes of their own: `waypost app`.
struct AppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app",
        abstract: "Be a process of an app on an agent's device.",
        subcommands: [AppRunCommand.self]
    )
}
