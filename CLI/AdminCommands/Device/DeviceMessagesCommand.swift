internal import ArgumentParser
internal import Foundation
internal import GatewayClient
internal import JSONScanning
internal import TextReports
internal import WaypostSchema

/// The `waypost device contacts` command, which shows the contacts on a device.
struct DeviceContactsCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "contacts",
        abstract: "Show the contacts on a device."
    )

    @OptionGroup var device: DeviceOptions

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        let contacts = try await device.calling { agent, device in try await agent.contacts(on: device) }
        try output.write(contacts) { contacts in
            guard !contacts.isEmpty else { return "There are no contacts." }
            let rows = contacts.map { contact in
                [
                    contact.id.rawValue, contact.givenName ?? "", contact.familyName ?? "", contact.nickname ?? "",
                    contact.language ?? "", contact.handles.map(\.rawValue).joined(separator: ", "),
                ]
            }
            return TextTable(
                header: ["Contact", "Given name", "Family name", "Nickname", "Language", "Handles"],
                rows: rows
            )
        }
    }
}

/// The `waypost device messages` command, which shows the messages on a device.
struct DeviceMessagesCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "messages",
        abstract: "Show the messages on a device, the oldest first."
    )

    @OptionGroup var device: DeviceOptions

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        let messages = try await device.calling { agent, device in try await agent.messages(on: device, atLeast: 0) }
        try output.write(messages) { messages in
            guard !messages.isEmpty else { return "There are no messages." }
            let rows = messages.map { message in
                [
                    message.sentAt?.textWithMilliseconds ?? "", message.id.rawValue, message.conversation.rawValue,
                    message.sender?.rawValue ?? "this device", message.text,
                ]
            }
            return TextTable(header: ["Sent", "Message", "Conversation", "From", "Text"], rows: rows)
        }
    }
}

/// The `waypost device pin` command, which pins a link.
struct DevicePinCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin",
        abstract: "Pin a link from a message, or unpin it, as a person does in Messages."
    )

    @OptionGroup var device: DeviceOptions

    @Argument(help: "The message's identifier (see 'waypost device messages').")
    var message: String

    @Option(help: ArgumentHelp("The link (default: the only one of the message).", valueName: "url"))
    var url: String?

    @Flag(help: "Unpin the link.")
    var unpin = false

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        let message = MessageID(rawValue: message)
        let event: DeviceEvent =
            unpin ? .sharing(.linkUnpinned(message, url: url)) : .sharing(.linkPinned(message, url: url))
        try await device.apply(event, output)
    }
}

/// The `waypost device consent` command, which sets what Shared with You may share.
struct DeviceConsentCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "consent",
        abstract: "Turn sharing on or off, as a person does: on the device, for an app, or in a conversation."
    )

    enum Choice: String, CaseIterable, Sendable {
        case on
        case off
    }

    @OptionGroup var device: DeviceOptions

    @Argument(help: "On or off.")
    var choice: NameArgument<Choice>

    @Option(help: "For this app (default: on the whole device).", completion: .apps)
    var app: String?

    @Option(help: "In this conversation.")
    var conversation: String?

    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        guard app == nil || conversation == nil else { throw ValidationError("give one of --app and --conversation") }
    }

    func perform() async throws {
        try await device.apply(.sharing(.sharingSet(scope, isOn: choice.value == .on)), output)
    }

    private var scope: SharingScope {
        if let app { return .app(BundleIdentifier(rawValue: app)) }
        if let conversation { return .conversation(ConversationID(rawValue: conversation)) }
        return .everywhere
    }
}

/// The `waypost device airplane` command, which takes a device off the network.
struct DeviceAirplaneCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "airplane",
        abstract: "Turn Airplane Mode on or off: a device without network gets its notifications later."
    )

    @OptionGroup var device: DeviceOptions

    @Argument(help: "On or off.")
    var choice: NameArgument<DeviceConsentCommand.Choice>

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        try await device.apply(.setting(.airplaneModeSet(isOn: choice.value == .on)), output)
    }
}

/// The `waypost device event` command, which applies any event to a device.
struct DeviceEventCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "event",
        abstract: "Let an event happen on a device, and print what follows from it.",
        discussion: """
            An event is a line of a journal without its time, such as {"type":"airplaneModeSet","isOn":true}; its schema \
            is DeviceEvent in 'waypost schema'. Without events, they are read from standard input, one a line. Exits with 1 if the device ignores an event.
            """
    )

    @OptionGroup var device: DeviceOptions

    @Argument(help: "The events in JSON.")
    var events: [String] = []

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        var parsed = try events.map { try Self.event($0) }
        if events.isEmpty { try LineInput(files: []).forEach(DeviceEvent.self) { parsed.append($0) } }
        for event in parsed { try await device.apply(event, output) }
    }

    private static func event(_ text: String) throws(CommandFailure) -> DeviceEvent {
        do {
            return try DocumentDecoder.decode(DeviceEvent.self, fromEnvelope: text.utf8)
        } catch {
            throw .unusable("'\(text)' is not an event: \((error as? DecodingError)?.sentence ?? "\(error)")")
        }
    }
}

extension DeviceOptions {
    /// Lets an event happen on the device, and writes the effects.
    func apply(_ event: DeviceEvent, _ output: OutputOptions) async throws {
        let reaction = try await calling { agent, device in try await agent.apply(event, to: device) }
        try output.write(reaction.effects) { effects in
            effects.isEmpty ? "nothing follows from it" : effects.map(\.text).joined(separator: "\n")
        }
        let ignored = reaction.effects.filter { if case .system(.eventIgnored) = $0 { true } else { false } }
        if !ignored.isEmpty, ignored.count == reaction.effects.count { throw CommandFailure.no() }
    }
}
