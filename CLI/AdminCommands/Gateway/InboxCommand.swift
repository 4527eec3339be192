internal import ArgumentParser
internal import DeviceModel
internal import GatewayClient
internal import TextReports
internal import WaypostSchema

/// The `waypost inbox` commands, which show and empty the inbox of a device.
struct InboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inbox",
        abstract: "Show the notifications that wait for a device at the gateway, and remove them.",
        discussion: "A notification leaves the inbox when the device acknowledges it; then the device has it.",
        subcommands: [InboxListCommand.self, InboxPurgeCommand.self]
    )
}

/// The `waypost inbox list` command, which lists the notifications in an inbox.
struct InboxListCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the notifications in the inbox of a device, oldest first, with their payloads as JSON.",
        discussion: """
            The name of a device includes the tokens of its apps. 'sent' means that the device has not acknowledged it \
            yet. 'held' means that it waits because the device's power is low.
            """
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @OptionGroup var device: RegisteredDeviceArgument

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        var writer = output.writer(table: Self.table)
        try await gateway.withClient { client in
            let tokens = try await client.tokens(named: device.nameOrToken, for: .inbox)
            var reader = InboxReader(of: tokens)
            while let entry = try await reader.next(reading: { try await client.inbox(of: $0, after: $1, limit: $2) }) {
                try writer.write(entry)
            }
        }
        try writer.finish()
    }

    static func table(_ entries: [InboxEntry]) -> any TextPresentable {
        guard !entries.isEmpty else { return "The inbox is empty." }
        let rows = entries.map { entry in
            let notification = entry.notification
            let content = NotificationContent(payload: notification.payload)
            return [
                entry.held ? "held" : entry.state.rawValue, notification.id.rawValue,
                notification.topic.rawValue, "\(notification.priority)", content.title ?? content.body ?? "",
            ]
        }
        return TextTable(
            header: ["State", "Identifier", "Topic", "Priority", "Title"],
            rows: rows,
            untruncatedColumns: [1]
        ) { column, text in column == 0 ? (text == "held" ? .yellow : StateColor.color(forCell: text)) : nil }
    }
}

/// The `waypost inbox purge` command, which empties an inbox.
struct InboxPurgeCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge",
        abstract: "Remove all notifications from the inbox of a device; they end as dropped.",
        discussion: "The name of a device includes the tokens of its apps."
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @OptionGroup var device: RegisteredDeviceArgument

    @Option(help: "Only notifications for this app.", completion: .topics)
    var topic: String?

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        let purge = try await gateway.withClient { client in
            var purge = InboxPurge(removed: 0)
            for token in try await client.tokens(named: device.nameOrToken, for: .inbox) {
                purge.removed += try await client.purgeInbox(of: token, for: topic.map(Topic.init(rawValue:))).removed
            }
            return purge
        }
        try output.write(purge) { purge in
            purge.removed == 1 ? "removed 1 notification" : "removed \(purge.removed) notifications"
        }
    }
}
