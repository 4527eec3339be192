internal import ArgumentParser
internal import Attribution
internal import GatewayClient
internal import WaypostSchema

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

/// Lists the delivery log: `waypost notifications list`.
struct NotificationsListCommand: ReportingCommand {
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

    func perform() async throws {
        var filter = selection.filter
        filter.limit = limit
        let page = try await gateway.calling { client in
            try await client.notifications(filter)
        }
        try output.write(page.notifications, table: Self.table)
        if let next = page.next { StandardError.write("there is more: --after \(next)") }
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

/// Which notifications of the delivery log.
struct NotificationSelectionOptions: ParsableArguments {
    @Option(help: "Only those sent to this token, or for the device that has it now.")
    var token: String?

    @Option(help: "Only those for this app.")
    var topic: String?

    @Option(help: ArgumentHelp("Only those in this state now; may be repeated.", valueName: "state"))
    var state: [NameArgument<DeliveryState>] = []

    @Option(
        help: ArgumentHelp(
            "Only those that came since then: 90s, 10m, 2h or 1d before now, or milliseconds since 1970.",
            valueName: "time"
        )
    )
    var since: String?

    @Option(help: ArgumentHelp("Only those with a greater sequence.", valueName: "sequence"))
    var after: Int?

    /// The same for the gateway.
    var filter: NotificationFilter {
        var filter = NotificationFilter()
        filter.token = token.map(DeviceToken.init(rawValue:))
        filter.topic = topic.map(Topic.init(rawValue:))
        filter.states = state.map(\.value)
        filter.since = since
        filter.after = after
        return filter
    }
}

/// Shows the details of one notification: `waypost notifications show`.
struct NotificationsShowCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show what became of a notification: each state with its time, and why it was rejected.",
        discussion: "Exits 1 where the log does not know the notification, or not any more."
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @OptionGroup(title: "Output") var output: OutputOptions

    @Argument(help: "The notification's identifier.")
    var id: String

    func perform() async throws {
        let notification = try await gateway.calling { client in
            try await client.notification(NotificationID(rawValue: id))
        }
        try output.write(notification, text: NotificationDetails.text)
    }
}

/// Waits until something became of a notification: `waypost notifications wait`.
struct NotificationsWaitCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "wait",
        abstract: "Wait until a notification has come into a state.",
        discussion: """
            A notification that is not sent yet is waited for too. Exits 0 where it has been in the state, and 1 where it \
            has not when the time is over, when it is in another final state, or when it is not known; standard error \
            says which.
            """
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("The state: \(GoalArgument.names).", valueName: "state"),
        transform: GoalArgument.init
    )
    var goal = GoalArgument(state: .acknowledged)

    @Option(help: ArgumentHelp("How long to wait at most, 0 to 3600.", valueName: "seconds"))
    var timeout = 10

    @OptionGroup(title: "Output") var output: OutputOptions

    @Argument(help: "The notification's identifier.")
    var id: String

    func validate() throws {
        guard (0...3_600).contains(timeout) else { throw ValidationError("--timeout takes 0 to 3600 seconds") }
    }

    func perform() async throws {
        let notification = try await gateway.calling { client in
            try await client.notification(
                NotificationID(rawValue: id),
                reaching: goal.state,
                within: timeout
            )
        }
        try output.write(notification, text: NotificationDetails.text)
        if let failure = goal.failure(given: notification) { throw CommandFailure.no(failure) }
    }
}

/// What to wait for: a state, or any final one.
struct GoalArgument {
    static let names = (DeliveryState.allCases.map(\.rawValue) + ["final"]).joined(separator: ", ")

    /// The state; `nil` for any final one.
    let state: DeliveryState?

    init(state: DeliveryState?) {
        self.state = state
    }

    /// Reads the name of a state, or `final`.
    ///
    /// - Throws: `ValidationError` listing the names.
    init(_ argument: String) throws {
        state = DeliveryState(rawValue: argument)
        guard state != nil || argument == "final" else {
            throw ValidationError("'\(argument)' cannot be waited for; these can: \(Self.names)")
        }
    }

    /// Says why waiting was in vain; `nil` where it was not.
    func failure(given notification: NotificationRecord) -> String? {
        let isMet = state.map(notification.hasReached) ?? notification.state.isFinal
        guard !isMet else { return nil }
        let wanted = state.map { "was not \($0.rawValue)" } ?? "is in no final state"
        let reason = notification.reason.map { " (\($0))" } ?? ""
        return "the notification \(wanted): it is \(notification.state.rawValue)\(reason)"
    }
}

/// Follows the delivery log: `waypost notifications follow`.
struct NotificationsFollowCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow",
        abstract: "Print a notification whenever something becomes of it, until interrupted.",
        discussion: """
            Begins with the next change; with --since or --after, with what is there. As a table each line has the time \
            of the last state, the state, the identifier, the topic and the token; as jsonl the whole record. With json \
            the document is written at the end. Exits 0 where it is interrupted, and 1 where the gateway goes.
            """
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @OptionGroup(title: "Notifications") var selection: NotificationSelectionOptions

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        let (gateway, filter, format) = (gateway, selection.filter, output.resolved)
        do {
            try await InterruptibleRun.run { try await Self.follow(gateway, filter, format) }
        } catch is CancellationError {
            // The person has seen enough.
        }
    }

    private static func follow(
        _ gateway: GatewayOptions,
        _ filter: NotificationFilter,
        _ format: OutputFormat
    ) async throws {
        var printer = ChangePrinter(format)
        // Whoever interrupts this gets what there is.
        defer { try? printer.finish() }
        let end: StreamEnd?
        do {
            end = try await gateway.calling { client in
                try await client.followNotifications(filter) { try printer.write($0) }
            }
        } catch  where Task.isCancelled {
            return
        }
        throw CommandFailure.no(
            end.map { "the gateway ended the stream: \($0.message) (\($0.reason))" }
                ?? "the gateway closed the connection"
        )
    }
}

/// Prints notifications one by one, as they change.
struct ChangePrinter {
    private var writer: AnswerWriter<NotificationRecord>

    init(_ format: OutputFormat) {
        writer = AnswerWriter(format) { _ in "" }
    }

    mutating func write(_ notification: NotificationRecord) throws {
        switch writer.format {
        case .table: try StandardOutput.write(Self.line(notification) + "\n")
        case .json, .jsonl: try writer.write(notification)
        }
    }

    /// Writes what is not yet written.
    func finish() throws {
        if writer.format == .json { try writer.finish() }
    }

    /// Returns a notification on one line, in columns of their usual widths.
    static func line(_ notification: NotificationRecord) -> String {
        let time = notification.history.last?.at.textWithMilliseconds ?? ""
        let id = notification.id?.rawValue ?? "–"
        let columns = [(time, 24), (notification.state.rawValue, 12), (id, 36)]
        let padded = columns.map { $0 + String(repeating: " ", count: max(0, $1 - $0.count)) }
        let rest = [notification.topic?.rawValue ?? "–", notification.token?.shortText ?? "–"]
        let reason = notification.reason.map { [$0.rawValue] } ?? []
        return TerminalText.safe((padded + rest + reason).joined(separator: "  "))
    }
}
