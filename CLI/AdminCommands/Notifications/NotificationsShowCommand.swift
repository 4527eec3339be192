internal import ArgumentParser
internal import GatewayClient
internal import WaypostSchema

/// Tells the story of one notification: `waypost notifications show`.
struct NotificationsShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show what became of a notification: each state with its time, and why it was rejected.",
        discussion: "Exits 1 where the log does not know the notification, or not any more."
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @OptionGroup(title: "Notification") var namespace: NamespaceOptions

    @OptionGroup(title: "Output") var output: OutputOptions

    @Argument(help: "The notification's identifier.")
    var id: String

    func run() async throws {
        try await reportingFailures {
            let notification = try await gateway.calling { client in
                try await client.notification(NotificationID(rawValue: id), in: namespace.chosen)
            }
            try NotificationStory.write(notification, output.resolved)
        }
    }
}
