internal import ArgumentParser
internal import Attribution
internal import GatewayClient
internal import WaypostSchema

/// Follows the delivery log: `waypost notifications follow`.
struct NotificationsFollowCommand: AsyncParsableCommand {
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

    func run() async throws {
        try await reportingFailures {
            let (gateway, filter, format) = (gateway, selection.filter, output.resolved)
            do {
                try await InterruptibleRun.run { try await Self.follow(gateway, filter, format) }
            } catch is CancellationError {
                // The person has seen enough.
            }
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
    private let format: OutputFormat

    init(_ format: OutputFormat) {
        self.format = format
        writer = AnswerWriter(format) { _ in "" }
    }

    mutating func write(_ notification: NotificationRecord) throws {
        switch format {
        case .table: try StandardOutput.write(Self.line(notification) + "\n")
        case .json, .jsonl: try writer.write(notification)
        }
    }

    /// Writes what is not yet written.
    func finish() throws {
        if format == .json { try writer.finish() }
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
