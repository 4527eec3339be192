internal import ArgumentParser
internal import Foundation
internal import GatewayClient
internal import JSONScanning
internal import PushRules
internal import TextBasics
internal import TextReports
internal import WaypostSchema

/// The `waypost send` command, which sends notifications.
struct SendCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Send a notification, or a file of notifications, as one compressed batch.",
        usage: """
            waypost send (--to <device> | --token <token>) --topic <topic> [--title <text>]
                   [--body <text>] [--target-content-id <id>]
            waypost send <file>.apns (--to <device> | --token <token>) [--topic <topic>]
            waypost send [<file>]
            """,
        discussion: """
            A file has one notification per line, a JSON array of them, or a single one on several lines; '-' or no \
            file: standard input. Example:

              \(example)

            An .apns file, as for the Simulator of Xcode, has one payload; its "Simulator Target Bundle" is the topic.

            Exits with 0 if every notification was accepted, and with 1 if one was rejected or, with --wait, not \
            acknowledged.
            """
    )

    private static let example = #"{"token":"…","topic":"com.example.app","payload":{"aps":{"alert":"Hi"}}}"#

    @OptionGroup(title: "Gateway") var gateway: GatewayOptions

    @OptionGroup(title: "One notification") var notification: NotificationOptions

    @Flag(help: "Show the result of every notification, not only of rejected ones.")
    var all = false

    @Option(
        help: ArgumentHelp(
            """
            The device, instead of --token: its name, or the start of its token. If an app on it has a token for the \
            notification, that one is used.
            """,
            valueName: "device"
        ),
        completion: .registeredDevices
    )
    var to: String?

    @Flag(help: "Accept all notifications or none.")
    var atomic = false

    @Option(help: "The idempotency key: the gateway accepts a batch with the key once, however often it is sent.")
    var key: String?

    @Option(
        help: ArgumentHelp(
            "The place in a trace (W3C Trace Context; default: the environment variable TRACEPARENT).",
            valueName: "traceparent"
        ),
        transform: TraceParent.init(argument:)
    )
    var traceparent: TraceParent?

    @Option(
        help: ArgumentHelp(
            "Wait at most so long until everything is acknowledged: 30s, 5m, or seconds.",
            valueName: "duration"
        ),
        transform: DurationArgument.init
    )
    var wait: DurationArgument?

    @OptionGroup(title: "Output") var output: OutputOptions

    @Argument(help: "The file of notifications.")
    var file: String?

    func validate() throws {
        if (notification.isSpecified || to != nil) && file != nil && !isPayloadFile {
            throw ValidationError(
                "give either one notification in options, or a file of notifications; '\(file ?? "")' counts as a file, so "
                    + "check the spelling of the options"
            )
        }
        guard to == nil || notification.token == nil else { throw ValidationError("give one of --to and --token") }
        let hasTokenAndTopic = (to ?? notification.token) != nil && notification.topic != nil
        guard !(notification.isSpecified || to != nil) || isPayloadFile || hasTokenAndTopic else {
            throw ValidationError("a notification needs --to or --token, and --topic")
        }
        guard to != "" else { throw ValidationError("--to must not be empty") }
        if let wait, wait.seconds == 0 { throw ValidationError("--wait must be more than 0 seconds") }
    }

    /// The maximum size of a batch, which is also the gateway's for an inflated body: 256 MiB.
    private static let maximumBatchSize = 256 << 20

    /// Whether the file is a payload for the Simulator of Xcode.
    private var isPayloadFile: Bool {
        file?.hasSuffix(".apns") ?? false
    }

    /// Returns the notification in the options; `nil` if a file has the notifications.
    private func draft() throws -> NotificationDraft? {
        if let file, isPayloadFile { return try notification.draft(fromPayload: file) }
        return notification.isSpecified || to != nil ? try notification.draft() : nil
    }

    private func itemsInFile() throws -> [UInt8] {
        let bytes = try InputFile(path: file ?? "-").readToEnd(maximumSize: Self.maximumBatchSize)
        if let first = bytes.first(where: { !" \t\r\n".utf8.contains($0) }), !"{[".utf8.contains(first) {
            throw CommandFailure.unusable(
                "\(InputFile(path: file ?? "-").name): is not JSON; a notification is an object such as \(Self.example)"
            )
        }
        return Self.singleLine(bytes)
    }

    /// Returns a notification that spans several lines as one line, and other input unchanged.
    private static func singleLine(_ bytes: [UInt8]) -> [UInt8] {
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        guard lines.count > 1, lines[0].elementsEqual("{".utf8), JSONError.first(in: bytes) == nil else { return bytes }
        return Array(lines.joined(separator: " ".utf8))
    }

    func perform() async throws {
        do {
            try await gateway.withClientRethrowingRefusals { client in
                guard var draft = try draft() else {
                    try await send(try itemsInFile(), client)
                    return
                }
                var command = self
                if let to {
                    draft.item.token = try await recipient(named: to, of: draft.item, client)
                    command.notification.token = draft.item.token.rawValue
                }
                try await command.send(try draft.line(), client)
            }
        } catch let error as CallError {
            // If the gateway refuses the batch, the input is unusable, even with status 404.
            guard case .refused = error else { throw error }
            throw CommandFailure.unusable("\(error)")
        }
    }

    /// Returns the token of the device or, if an app on it has one for the notification, that of the app.
    private func recipient(
        named name: String,
        of item: BatchItem,
        _ client: GatewayClient
    ) async throws -> DeviceToken {
        let (token, chosen) = try await client.recipient(named: name, of: item)
        if let chosen, let purpose = chosen.purpose, !output.quiet {
            let tokenName = "\(TokenName(chosen).withDetail) (\(token.shortText))"
            StandardError.write("note: the notification goes to \(tokenName), \(purpose.title)")
        }
        return token
    }

    private func send(_ items: [UInt8], _ client: GatewayClient) async throws {
        let isSingle = notification.isSpecified || to != nil || isPayloadFile
        let receipt = try await client.send(
            items,
            allResults: all || isSingle,
            isAtomic: atomic,
            key: key,
            traceparent: traceparent ?? .inEnvironment
        )
        try output.write(receipt) { Self.table($0, hidesAccepted: !all) }
        if output.resolvedFormat != .table, !output.quiet {
            for finding in receipt.findings ?? [] where finding.severity != .note {
                StandardError.write(Self.sentence(about: finding))
            }
        }
        // A batch without an accepted item has nothing to wait for, and may not be stored.
        if let wait, receipt.accepted > 0 {
            let status = try await client.settledStatus(of: receipt.id, within: wait.seconds)
            await reportReplaced(receipt.id, client)
            try await report(status)
        }
        if receipt.rejected > 0 { throw CommandFailure.failed() }
    }

    /// Says which notifications a device would not have received from APNs.
    private func reportReplaced(_ batch: BatchID, _ client: GatewayClient) async {
        guard !output.quiet, let token = notification.token else { return }
        var filter = NotificationFilter()
        filter.token = DeviceToken(rawValue: token)
        filter.limit = 1_000
        // The result of the batch is what counts.
        let records = (try? await client.notifications(filter))?.notifications ?? []
        let replaced = NewestNotification.replaced(around: batch, in: records)
        guard let topic = replaced.first?.topic else { return }
        StandardError.write("note: " + NewestNotification.notice(count: replaced.count, topic: topic))
    }

    /// Returns why the device did not get the notification, if its agent can be reached.
    private func reasonOnDevice() async -> String? {
        guard let token = notification.token, let agent = try? AgentOptions.forAgent(at: nil, orInStackOf: gateway)
        else {
            return nil
        }
        let device = try? await agent.withClient { client -> String? in
            let devices = try await client.devices().filter { $0.isInAirplaneMode == true }
            for device in devices {
                if device.token?.rawValue == token { return device.name }
                let appTokens = try await client.tokens(of: device.name)
                if appTokens.contains(where: { $0.token?.rawValue == token }) { return device.name }
            }
            return nil
        }
        return device.map { "\($0) is in Airplane Mode" }
    }

    private func report(_ status: BatchStatus) async throws {
        let states = status.states.sorted { $0.key.rawValue < $1.key.rawValue }
        if !states.isEmpty, !output.quiet {
            StandardError.write(states.map { "\($0.value) \($0.key.rawValue)" }.joined(separator: ", "))
        }
        if status.states.keys.contains(where: { $0 != .acknowledged }) {
            let hint = await reasonOnDevice() ?? "'waypost tokens list' shows which devices are connected"
            throw CommandFailure.failed("not every notification was acknowledged; \(hint)")
        }
    }

    private static func sentence(about finding: ItemFinding) -> String {
        "line \(finding.line): \(finding.severity.rawValue): \(finding.message) [\(finding.code)]"
    }

    static func table(_ receipt: BatchReceipt, hidesAccepted: Bool = true) -> String {
        let summary =
            "batch \(receipt.id): \(receipt.accepted) accepted (\(receipt.durability)), \(receipt.rejected) rejected"
        let findings = receipt.findings ?? []
        let sentences = findings.map { "\n" + sentence(about: $0) }.joined()
        let results = receipt.results.filter { !hidesAccepted || $0.reason != nil }
        guard !results.isEmpty else { return summary + sentences }
        let rows = results.map { result in
            [
                "\(result.line)",
                "\(result.status)",
                result.reason?.rawValue ?? "",
                result.message ?? result.id?.rawValue ?? "",
            ]
        }
        return summary + sentences + "\n" + TextTable(header: ["Line", "Status", "Reason", "Message"], rows: rows).text
    }
}

/// The options that describe one notification.
struct NotificationOptions: ParsableArguments {
    @Option(help: "The device's token.")
    var token: String?

    @Option(help: "The app's bundle identifier, with the suffix of the push type.", completion: .topics)
    var topic: String?

    @Option(help: "The alert's title.")
    var title: String?

    @Option(help: "The alert's text.")
    var body: String?

    @Option(help: "The number on the app's icon; 0 removes it.")
    var badge: Int?

    @Option(help: "The sound: default, or the name of a file of the app.")
    var sound: String?

    @Option(help: ArgumentHelp("The content identifier of the notification (aps.target-content-id).", valueName: "id"))
    var targetContentID: String?

    @Option(help: ArgumentHelp("The whole payload in JSON, or a file with it.", valueName: "json|file"))
    var payload: String?

    @Option(help: "The push type, such as background (default: alert).", completion: .pushTypes)
    var pushType: String?

    @Option(help: "The priority: 10, 5 or 1 (default: 10).")
    var priority: Int?

    @Option(help: "The expiration, in seconds since 1970; 0: deliver now or drop.")
    var expiration: Int?

    @Option(help: ArgumentHelp("The collapse identifier.", valueName: "id"))
    var collapseID: String?

    @Option(help: ArgumentHelp("The notification's identifier, a UUID.", valueName: "uuid"))
    var id: String?

    /// Whether any of the options is set, so that no file is read.
    var isSpecified: Bool {
        hasPartOfPayload || [token, topic, payload, pushType, collapseID, id].contains { $0 != nil }
            || priority != nil || expiration != nil
    }

    /// Whether an option sets a part of the payload.
    private var hasPartOfPayload: Bool {
        badge != nil || [title, body, sound, targetContentID].contains { $0 != nil }
    }

    func validate() throws {
        guard priority.map(PushTypeContract.priorities.contains) ?? true else {
            throw ValidationError("--priority must be 10, 5 or 1")
        }
        let pushTypes = PushType.documented.map(\.rawValue).sorted()
        if let pushType, !pushTypes.contains(pushType) {
            let hint = pushType.nearest(among: pushTypes).map { "did you mean '\($0)'?" }
            throw ValidationError(
                "'\(pushType)' is not a push type; \(hint ?? "use one of \(pushTypes.joined(separator: ", "))")"
            )
        }
        guard payload == nil || !hasPartOfPayload else {
            throw ValidationError(
                "--payload cannot be combined with --title, --body, --badge, --sound or --target-content-id"
            )
        }
    }

    /// Returns the notification with the payload of an `.apns` file.
    ///
    /// - Parameter path: the path of the file.
    /// - Returns: the notification.
    /// - Throws: `CommandFailure` if the file cannot be used, or there is no topic.
    func draft(fromPayload path: String) throws(CommandFailure) -> NotificationDraft {
        let bytes = try InputFile(path: path).readToEnd()
        if let error = JSONError.first(in: bytes) {
            throw CommandFailure.unusable("\(path):\(error.place(in: bytes)): not JSON: \(error)")
        }
        guard case .object(var payload)? = try? DocumentDecoder.decode(JSONValue.self, fromDeepJSON: bytes) else {
            throw CommandFailure.unusable("\(path): not a JSON object")
        }
        let bundle = payload.removeValue(forKey: "Simulator Target Bundle")?.string
        guard !hasPartOfPayload, self.payload == nil else {
            throw CommandFailure.unusable("\(path) has the whole payload; do not combine it with its parts in options")
        }
        return NotificationDraft(item: try item(for: topic ?? bundle, payload: .object(payload)))
    }

    /// Returns the notification in the options.
    ///
    /// - Throws: `CommandFailure` if the payload cannot be used, or there is no topic.
    func draft() throws(CommandFailure) -> NotificationDraft {
        guard let payload else { return NotificationDraft(item: try item(for: topic, payload: payloadInOptions)) }
        let bytes = try readPayload(at: payload)
        let value = try? DocumentDecoder.decode(JSONValue.self, fromDeepJSON: bytes)
        return NotificationDraft(item: try item(for: topic, payload: value ?? .object([:])), payload: bytes)
    }

    private func item(for topic: String?, payload: JSONValue) throws(CommandFailure) -> BatchItem {
        guard let topic else { throw .unusable("a notification needs --topic") }
        return BatchItem(
            token: DeviceToken(rawValue: token ?? ""),
            topic: Topic(rawValue: topic),
            pushType: pushType.map(PushType.init(rawValue:)),
            priority: priority,
            expiration: expiration,
            collapseID: collapseID.map(CollapseIdentifier.init(rawValue:)),
            id: id.map(NotificationID.init(rawValue:)),
            payload: payload
        )
    }

    /// Returns the payload of the option, which is JSON or the path of a file, as one line.
    private func readPayload(at text: String) throws(CommandFailure) -> [UInt8] {
        let isJSON = text.drop(while: \.isWhitespace).hasPrefix("{")
        guard isJSON || FileManager.default.fileExists(atPath: text) else {
            throw .unusable("--payload '\(text)' is neither JSON, which begins with '{', nor a file that exists")
        }
        let bytes = isJSON ? Array(text.utf8) : try InputFile(path: text).readToEnd()
        if let error = JSONError.first(in: bytes) {
            throw .unusable("\(isJSON ? "--payload" : text):\(error.place(in: bytes)): not JSON: \(error)")
        }
        return bytes.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") ? UInt8(ascii: " ") : $0 }
    }

    private var payloadInOptions: JSONValue {
        var alert: [String: JSONValue] = [:]
        if let title { alert["title"] = .string(title) }
        if let body { alert["body"] = .string(body) }
        var aps: [String: JSONValue] = alert.isEmpty ? [:] : ["alert": .object(alert)]
        if let badge { aps["badge"] = .integer(badge) }
        if let sound { aps["sound"] = .string(sound) }
        if let targetContentID { aps["target-content-id"] = .string(targetContentID) }
        return .object(["aps": .object(aps)])
    }
}
