internal import ArgumentParser
internal import Attribution
internal import Foundation
internal import GatewayClient
internal import TextBasics
internal import TextReports
internal import WaypostSchema

/// The `waypost notifications` commands, which read the delivery log.
struct NotificationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notifications",
        abstract: "List, show, await or follow the notifications in a gateway's delivery log.",
        subcommands: [
            NotificationsListCommand.self, NotificationsShowCommand.self, NotificationsWaitCommand.self,
            NotificationsFollowCommand.self,
        ]
    )
}

/// The `waypost notifications list` command, which lists the delivery log.
struct NotificationsListCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List notifications and their delivery states, oldest first.",
        discussion: """
            Lists the newest notifications that match. With --since or --after, lists the first ones instead, and \
            prints on standard error how to continue. The list includes rejected notifications, with the reason.
            """
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @OptionGroup(title: "Notifications") var selection: NotificationSelectionOptions

    @Option(help: "The maximum number of notifications, 1 to 1000.")
    var limit = 100

    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        guard (1...1_000).contains(limit) else { throw ValidationError("--limit must be 1 to 1000") }
    }

    func perform() async throws {
        let page = try await gateway.withClient { client in
            var selected = try await selection.selected(using: client)
            selected.filter.limit = limit
            return try await client.notifications(selected)
        }
        try output.write(page.notifications, table: Self.table)
        if let next = page.next { StandardError.write("there are more notifications; continue with --after \(next)") }
    }

    static func table(_ notifications: [NotificationRecord]) -> any TextPresentable {
        guard !notifications.isEmpty else { return "No notification in the log matches." }
        let rows = notifications.map { notification in
            [
                notification.history.first?.at.shortText ?? "",
                notification.state.rawValue,
                "\(notification.attempts)",
                notification.id?.rawValue ?? "–",
                notification.topic?.rawValue ?? "–",
                notification.token?.shortText ?? "–",
                notification.reason?.rawValue ?? "",
            ]
        }
        return TextTable(
            header: ["Time", "State", "Sent", "Identifier", "Topic", "Token", "Reason"],
            rows: rows,
            untruncatedColumns: [0, 1, 3],
            droppableColumns: [2, 5, 4],
            color: { column, text in column == 1 ? StateColor.color(forCell: text) : nil }
        )
    }
}

extension GatewayClient {
    /// The maximum number of recent notifications that are searched for the start of an identifier.
    private static let maximumSearchedCount = 1_000

    /// Returns the identifier of the notification with a name: a whole identifier, the start of a recent one, which
    /// may end in `…` as in a table, or `last` for the newest one.
    ///
    /// - Throws: `CommandFailure` if there is no such notification, or several.
    func notificationID(named name: String) async throws -> NotificationID {
        if UUID(uuidString: name) != nil { return NotificationID(rawValue: name) }
        var filter = NotificationFilter()
        filter.limit = Self.maximumSearchedCount
        let notifications = try await notifications(filter).notifications
        let ids = notifications.compactMap(\.id)
        if name == "last" {
            guard let last = ids.last else {
                // A refused notification may have none.
                let problem = notifications.isEmpty ? "has no notifications" : "has no notification with an identifier"
                throw CommandFailure.failed("the log \(problem); see 'waypost notifications list'")
            }
            return last
        }
        let start = name.hasSuffix("…") ? String(name.dropLast()) : name
        let matches = Set(ids.filter { $0.rawValue.hasPrefix(start) })
        guard matches.count <= 1 else {
            throw CommandFailure.unusable(
                "'\(name)' could be \(matches.count) notifications; add more of the identifier"
            )
        }
        // An identifier need not be a UUID, so the gateway looks the name up.
        return matches.first ?? NotificationID(rawValue: name)
    }
}

/// The options that select notifications in the delivery log.
struct NotificationSelectionOptions: ParsableArguments {
    @Option(
        name: [.long, .customLong("device")],
        help: ArgumentHelp(
            """
            Only notifications for this device and its apps: its name, or the start of a token. Of more than \
            \(TokenSearch.maximumLogTokens) tokens, only the active and the newest ones.
            """,
            valueName: "device"
        ),
        completion: .registeredDevices
    )
    var to: String?

    @Option(help: "Only notifications sent to this token, or to the device that has it now.")
    var token: String?

    @Option(
        help: ArgumentHelp(
            "Only notifications of this trace: its identifier, or a traceparent (W3C Trace Context).",
            valueName: "id"
        ),
        transform: TraceID.init(argument:)
    )
    var trace: TraceID?

    @Option(help: "Only notifications for this app.", completion: .topics)
    var topic: String?

    @Option(
        name: .customLong("state"),
        help: ArgumentHelp("Only notifications in this state now; can be repeated.", valueName: "state")
    )
    var states: [NameArgument<DeliveryState>] = []

    @Option(
        help: ArgumentHelp(
            "Only notifications received since then: 90s, 10m, 2h or 1d ago, or milliseconds since 1970.",
            valueName: "time"
        )
    )
    var since: String?

    @Option(help: ArgumentHelp("Only notifications with a greater sequence.", valueName: "sequence"))
    var after: Int?

    /// Returns the notifications to read, with the tokens of the device, which the client looks up.
    func selected(using client: GatewayClient) async throws -> SelectedNotifications {
        guard let to else { return SelectedNotifications(filter) }
        return SelectedNotifications(filter, of: try await client.tokens(named: to, for: .log))
    }

    func validate() throws {
        guard to == nil || token == nil else { throw ValidationError("give one of --to and --token") }
    }

    /// The filter for the gateway, without the device.
    var filter: NotificationFilter {
        var filter = NotificationFilter()
        filter.token = token.map(DeviceToken.init(rawValue:))
        filter.trace = trace
        filter.topic = topic.map(Topic.init(rawValue:))
        filter.states = states.map(\.value)
        filter.earliestArrival = since
        filter.afterSequence = after
        return filter
    }
}

/// The `waypost notifications show` command, which shows the details of one notification.
struct NotificationsShowCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show each delivery state of a notification with its time, and the reason for a rejection.",
        discussion: """
            With --curl or --apns, prints how to send it again. The log has no payloads, so these find it in the inbox or, \
            once the device has acknowledged it, on the device of an agent. A gateway that requires provider tokens needs \
            an authorization header, too. Exits with 1 if the notification is not, or no \
            longer, in the log, or if nothing has its payload.
            """
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @Flag(help: "Print the curl command that sends the same notification to the gateway, as to APNs.")
    var curl = false

    @Flag(help: "Print the payload as an .apns file, as for the Simulator of Xcode.")
    var apns = false

    @Option(help: ArgumentHelp("The base URL of the control API of the agent with the device.", valueName: "url"))
    var agent: String?

    @OptionGroup(title: "Output") var output: OutputOptions

    @Argument(help: "The notification's identifier, the start of it, or 'last' for the newest one.")
    var id: String

    func validate() throws {
        guard !curl || !apns else { throw ValidationError("give one of --curl and --apns") }
    }

    func perform() async throws {
        let agent = try AgentOptions.forAgent(at: agent, orInStackOf: gateway)
        let (notification, payload) = try await gateway.withClient { client in
            let notification = try await client.notification(try await client.notificationID(named: id))
            guard curl || apns else { return (notification, JSONValue?.none) }
            return (notification, try await PayloadSearch(gateway: client, agent: agent).payload(of: notification))
        }
        guard let payload else { return try output.write(notification, text: NotificationDetails.text) }
        let location = try gateway.location()
        let text =
            curl
            ? try NotificationExport.curl(
                payload,
                of: notification,
                providerURL: location.provider ?? ChannelOptions.defaultURL,
                caCertificatePath: location.readyFile?.ca,
                at: Timestamp(milliseconds: Int(Date.now.timeIntervalSince1970 * 1_000))
            )
            : try NotificationExport.apns(payload, of: notification)
        if !output.quiet { try StandardOutput.write(text + "\n") }
    }
}

/// The `waypost notifications wait` command, which waits for a state of a notification.
struct NotificationsWaitCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "wait",
        abstract: "Wait until a notification reaches a state.",
        discussion: """
            The notification need not have been sent yet. Exits with 0 if it has been in the state. Exits with 1 if \
            the time is over, if it is in another final state, or if it is unknown; standard error says which.
            """
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("The state: \(GoalArgument.names) (default: acknowledged).", valueName: "state"),
        transform: GoalArgument.init
    )
    var goal = GoalArgument(state: .acknowledged)

    @Option(
        help: ArgumentHelp("The maximum time to wait: 30s, 5m, or seconds (default: 10s).", valueName: "duration"),
        transform: DurationArgument.init
    )
    var timeout = DurationArgument(seconds: 10)

    @OptionGroup(title: "Output") var output: OutputOptions

    @Argument(help: "The notification's identifier.")
    var id: String

    func perform() async throws {
        let notification = try await gateway.withClient { client in
            try await client.notification(
                NotificationID(rawValue: id),
                reaching: goal.state,
                within: timeout.seconds
            )
        }
        try output.write(notification, text: NotificationDetails.text)
        if let failure = goal.failure(for: notification) { throw CommandFailure.failed(failure) }
    }
}

/// A state to wait for, or any final one.
struct GoalArgument {
    static let names = (DeliveryState.allCases.map(\.rawValue) + ["final"]).joined(separator: ", ")

    /// The state, or `nil` for any final one.
    let state: DeliveryState?

    init(state: DeliveryState?) {
        self.state = state
    }

    /// Parses the name of a state, or `final`.
    ///
    /// - Throws: `ValidationError` that lists the names, if the argument is not one of them.
    init(_ argument: String) throws {
        state = DeliveryState(rawValue: argument)
        guard state != nil || argument == "final" else {
            throw ValidationError("'\(argument)' is not a state to wait for; use one of: \(Self.names)")
        }
    }

    /// Returns the reason why the wait failed, or `nil` if the state was reached.
    func failure(for notification: NotificationRecord) -> String? {
        let isMet = state.map(notification.hasReached) ?? notification.state.isFinal
        guard !isMet else { return nil }
        let requirement = state.map { "was not \($0.rawValue)" } ?? "is not in a final state"
        let reason = notification.reason.map { " (\($0))" } ?? ""
        return "the notification \(requirement): it is \(notification.state.rawValue)\(reason)"
    }
}

/// The `waypost notifications follow` command, which follows the delivery log.
struct NotificationsFollowCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow",
        abstract: "Print each notification whenever its delivery state changes, until interrupted.",
        discussion: """
            Begins with the next change; with --since or --after, with the notifications that are in the log. As a \
            table, each line has the time of the last state, the state, the identifier, the topic and the token; as \
            jsonl, each line is the whole record. As json, the document is written at the end. Exits with 0 if it is \
            interrupted, and with 1 if the gateway ends the stream.
            """
    )

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @OptionGroup(title: "Notifications") var selection: NotificationSelectionOptions

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        let (gateway, selection, format) = (gateway, selection, output.resolvedFormat)
        do {
            try await InterruptibleRun.run { try await Self.follow(gateway, selection, format: format) }
        } catch is CancellationError {
            // The user interrupted the command, which is not an error.
        }
    }

    private static func follow(
        _ gateway: GatewayOptions,
        _ selection: NotificationSelectionOptions,
        format: OutputFormat
    ) async throws {
        var printer = ChangePrinter(format)
        // An interruption still writes the output so far.
        defer { try? printer.finish() }
        let end: StreamEnd?
        do {
            end = try await gateway.withClient { client in
                let selected = try await selection.selected(using: client)
                return try await client.followNotifications(selected.filter) { notification in
                    if selected.includes(notification) { try printer.write(notification) }
                }
            }
        } catch  where Task.isCancelled {
            return
        }
        throw CommandFailure.failed(
            end.map { "the gateway ended the stream: \($0.message) (\($0.reason))" }
                ?? "the gateway closed the connection"
        )
    }
}

/// Prints notifications as they change.
struct ChangePrinter {
    private static let titles = ["Time", "State", "Identifier", "App", "Device", "Reason"]

    /// The usual widths of the columns.
    private static let widths = [18, 12, 36, 24, 9, 0]

    /// The minimum width of a terminal for the columns of the app and the device.
    private static let minimumFullWidth = 120

    /// The maximum number of records in `records`.
    private static let maximumRecordCount = 10_000

    private var writer: AnswerWriter<NotificationRecord>
    private var lastLine: String?

    /// The last records that were written, by sequence.
    private var records: [Int: NotificationRecord] = [:]

    init(_ format: OutputFormat) {
        writer = AnswerWriter(format) { _ in "" }
    }

    mutating func write(_ notification: NotificationRecord) throws {
        // Several changes in quick succession may be two events with the same record.
        guard records[notification.sequence] != notification else { return }
        if records.count >= Self.maximumRecordCount { records = [:] }
        records[notification.sequence] = notification
        guard writer.format == .table else { return try writer.write(notification) }
        let columns = TextStyle.standardOutput.columns
        let line = Self.line(notification, columns: columns)
        // Several changes may arrive as one, which leaves the line unchanged.
        guard line != lastLine else { return }
        if lastLine == nil { try StandardOutput.write(Self.row(of: Self.titles, columns: columns) + "\n") }
        lastLine = line
        try StandardOutput.write(line + "\n")
    }

    /// Writes the output that is not yet written.
    func finish() throws {
        if writer.format == .json { try writer.finish() }
    }

    /// Returns a notification as one line, in columns of the usual widths.
    static func line(_ notification: NotificationRecord, columns: Int? = nil) -> String {
        row(
            of: [
                notification.history.last?.at.shortText ?? "", notification.state.rawValue,
                notification.id?.rawValue ?? "–", notification.topic?.rawValue ?? "–",
                notification.token?.shortText ?? "–", notification.reason?.rawValue ?? "",
            ],
            columns: columns
        )
    }

    /// Returns cells as one line, without those for which the terminal has no room.
    private static func row(of cells: [String], columns: Int?) -> String {
        let all = Array(zip(cells, widths))
        let isNarrow = columns.map { $0 < minimumFullWidth } ?? false
        let visible = isNarrow ? all[..<3] + all[5...] : all[...]
        let padded = visible.map { text, width in
            text + String(repeating: " ", count: max(0, width - text.displayWidth))
        }
        let line = padded.joined(separator: "  ")
        return String(line.reversed().drop { $0 == " " }.reversed()).safe(for: .terminal)
    }
}
