internal import ArgumentParser
internal import GatewayClient
internal import TextReports
internal import WaypostSchema

/// The `waypost device explain-notification` command, which says what a device did with a notification.
struct DeviceExplainNotificationCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain-notification",
        abstract:
            "Explain what a device did with a notification: where it was shown, whether it started the app, and why.",
        discussion: """
            The answer has the verdict of each gate when the notification arrived: its content, the permission of the \
            app, the user's settings, the Focus, the level, the summary, the sound and the badge; and if it asked for \
            that, whether it started the app or changed a Live Activity; then what is unusual in the payload. 'last' is \
            whatever arrived last, also a push for a Live Activity, VoIP or push to talk. Exits with 1 if it did \
            nothing.
            """
    )

    @OptionGroup var device: DeviceOptions

    @Argument(help: "The identifier of the notification, the start of it, or 'last'.")
    var notification = "last"

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        try await device.withDevice { agent, device in
            let decision = try await agent.findingNotification(on: device) {
                try await agent.explain(NotificationID(name: notification), on: device)
            }
            try output.write(decision) { $0.text }
            if !decision.hasEffect { throw CommandFailure.failed() }
        }
    }
}

extension NotificationDecision {
    /// Whether the notification was shown, started its app or changed a Live Activity.
    fileprivate var hasEffect: Bool {
        let hasLaunched = launch.map { $0.outcome == .launched || $0.outcome == .delivered } ?? false
        return presentation != .nowhere || hasLaunched || (liveActivity.map { $0.outcome != .ignored } ?? false)
    }
}
