internal import ArgumentParser

/// What became of notifications: `waypost notifications`.
struct NotificationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notifications",
        abstract: "Ask a gateway what became of notifications: list them, follow them, wait for one.",
        subcommands: [
            NotificationsListCommand.self, NotificationsShowCommand.self, NotificationsWaitCommand.self,
            NotificationsFollowCommand.self,
        ]
    )
}
