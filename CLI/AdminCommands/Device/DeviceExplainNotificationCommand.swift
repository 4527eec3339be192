internal import ArgumentParser
internal import GatewayClient
internal import TextReports
internal import WaypostSchema

/// The `waypost device explain-notification` command, which says what a device did with a notification.
struct DeviceExplainNotificationCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain-notification",
        abstract: "Explain why a notification was shown at once, in the list, in the summary, or not at all.",
        discussion: """
            The answer has the verdict of each gate when the notification arrived: its content, the permission of the \
            app, the user's settings, the Focus, the level, the summary, the sound and the badge. Exits with 1 if it \
            was not shown.
            """
    )

    @OptionGroup var device: DeviceOptions

    @Argument(help: "The identifier of the notification, the start of it, or 'last'.")
    var notification = "last"

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        try await device.calling { agent, device in
            guard let found = try await agent.notification(named: notification, on: device) else {
                throw CommandFailure.no(
                    "there is no notification '\(notification)' on \(device); see 'waypost device notifications'"
                )
            }
            let decision = try await agent.explain(found.id, on: device)
            try output.write(decision) { $0.text }
            if decision.presentation == .nowhere { throw CommandFailure.no() }
        }
    }
}
