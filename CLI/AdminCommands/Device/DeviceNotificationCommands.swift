internal import ArgumentParser
internal import GatewayClient
internal import SchemaFiles
internal import TextReports
internal import WaypostSchema

/// The `waypost device notification-center` command, which shows notifications in their groups.
struct DeviceNotificationCenterCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "notification-center",
        abstract: "Show the notifications as a person sees them: in groups, and in the summary that waits.",
        discussion: """
            A group has the notifications of an app with the same thread-id, the newest first. The summary begins with \
            the highest relevance-score.
            """
    )

    @OptionGroup var device: DeviceOptions

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        let center = try await device.withDevice { agent, device in try await agent.notificationCenter(of: device) }
        try output.write(center) { center in
            let groups = center.groups.flatMap { group in
                let thread = group.threadIdentifier.map { " · \($0)" } ?? ""
                return group.notifications.map { ["\(group.app)\(thread)"] + $0.cells }
            }
            let rows = groups + center.summary.map { ["summary"] + $0.cells }
            guard !rows.isEmpty else { return "There is nothing to see." }
            return TextTable(
                header: ["Group", "Received", "Identifier", "Title", "Score"],
                rows: rows,
                untruncatedColumns: [1, 2]
            )
        }
    }
}

extension DeviceNotification {
    fileprivate var cells: [String] {
        [receivedAt.shortText, id.rawValue, title ?? "", relevanceScore.map { "\($0)" } ?? ""]
    }
}

/// The `waypost device action` command, which performs an action of a notification.
struct DeviceActionCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "action",
        abstract: "Choose an action of a notification, as its category in the device file declares it.",
        discussion: """
            An action with the option 'foreground' opens a scene; any other one calls the app in the background. Exits \
            with 1 if the notification has no such action, or the device must be unlocked first.
            """
    )

    @OptionGroup var device: DeviceOptions

    @Argument(help: "The identifier of the notification, the start of it, or 'last'.")
    var notification: String

    @Argument(help: "The identifier of the action.")
    var action: String

    @Option(help: "The text for an action that asks for one.")
    var text: String?

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        try await device.withDevice { agent, device in
            let reaction = try await agent.findingNotification(on: device) {
                try await agent.performAction(
                    action,
                    text: text,
                    of: NotificationID(name: notification),
                    on: device
                )
            }
            try output.writeExplainingNone(reaction.effects) { effects in
                effects.isEmpty ? "the app was not called" : effects.map(\.text).joined(separator: "\n")
            }
        }
    }
}

/// The `waypost device live-activities` command, which shows the Live Activities on a device.
struct DeviceLiveActivitiesCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "live-activities",
        abstract: "Show the Live Activities on a device, the oldest first."
    )

    @OptionGroup var device: DeviceOptions

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        let activities = try await device.withDevice { agent, device in try await agent.liveActivities(of: device) }
        try output.write(activities) { activities in
            guard !activities.isEmpty else { return "There are no Live Activities." }
            let rows = activities.map { activity in
                [
                    activity.id.rawValue, activity.app.rawValue, activity.attributesType, activity.state.rawValue,
                    (activity.dismissalDate ?? activity.endsAt).shortText, activity.contentState.plainText,
                ]
            }
            return TextTable(
                header: ["Identifier", "App", "Type", "State", "Until", "Content"],
                rows: rows,
                untruncatedColumns: [0]
            )
        }
    }
}

/// The `waypost device draw` command, which draws what the screen shows of notifications.
struct DeviceDrawCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "draw",
        abstract: "Draw the Lock Screen with its notifications, or the banner of one, as SVG.",
        discussion: """
            The picture is in the language and text size of the device: 'waypost device draw last > banner.svg'.
            """
    )

    @OptionGroup var device: DeviceOptions

    @Argument(help: "The identifier of the notification, the start of it, or 'last' (default: the Lock Screen).")
    var notification: String?

    @Flag(help: "Draw light text on a dark background.")
    var dark = false

    func perform() async throws {
        let picture = try await device.withDevice { agent, device in
            try await agent.findingNotification(on: device) {
                try await agent.picture(of: notification.map(NotificationID.init(name:)), isDark: dark, on: device)
            }
        }
        try StandardOutput.write(picture)
    }
}
