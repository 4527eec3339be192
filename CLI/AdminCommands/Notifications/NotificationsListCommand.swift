internal import ArgumentParser
internal import GatewayClient
internal import WaypostSchema

/// Lists the delivery log: `waypost notifications list`.
struct NotificationsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List what became of notifications, oldest first.",
        discussion: """
            Lists the newest that suit; with --since or --after the first, and says on standard error where the list goes \
            on. Rejected notifications are in it, with the reason.
            """
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @OptionGroup(title: "Notifications") var selection: NotificationSelectionOptions

    @Option(help: "The most notifications, 1 to 1000.")
    var limit = 100

    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        guard (1...1_000).contains(limit) else { throw ValidationError("--limit takes 1 to 1000") }
    }

    func run() async throws {
        try await reportingFailures {
            var filter = selection.filter
            filter.limit = limit
            let page = try await gateway.calling { client in try await client.notifications(filter) }
            var writer = AnswerWriter(output.resolved, table: Self.table)
            for notification in page.notifications { try writer.write(notification) }
            try writer.finish()
            if let next = page.next { StandardError.write("there is more: --after \(next)") }
        }
    }

    static func table(_ notifications: [NotificationRecord]) -> String {
        guard !notifications.isEmpty else { return "No such notification is in the log." }
        let rows = notifications.map { notification in
            [
                notification.history.first?.at.textWithMilliseconds ?? "",
                notification.state.rawValue,
                "\(notification.attempts)",
                notification.id?.rawValue ?? "–",
                notification.topic?.rawValue ?? "–",
                notification.token?.shortText ?? "–",
                notification.reason?.rawValue ?? "",
            ]
        }
        return TextTable(header: ["Came", "State", "Sent", "Identifier", "Topic", "Token", "Reason"], rows: rows).text
    }
}
