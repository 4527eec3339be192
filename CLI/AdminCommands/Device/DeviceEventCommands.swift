internal import ArgumentParser
internal import Foundation
internal import GatewayClient
internal import Highlights
internal import JSONScanning
internal import TextBasics
internal import TextReports
internal import WaypostSchema

/// The `waypost device pin` command, which pins a link.
struct DevicePinCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin",
        abstract: "Pin a link from a message, or unpin it, as a person does in Messages."
    )

    @OptionGroup var device: DeviceOptions

    @Argument(help: "The message: its identifier, the start of it, or 'last' (see 'waypost device messages').")
    var message: String

    @Option(help: ArgumentHelp("The link (default: all links of the message).", valueName: "url"))
    var url: String?

    @Flag(help: "Unpin the link.")
    var unpin = false

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        let message = try await device.withDevice { agent, device in
            try await agent.messageID(named: self.message, on: device)
        }
        let event: DeviceEvent =
            unpin ? .sharing(.linkUnpinned(message, url: url)) : .sharing(.linkPinned(message, url: url))
        try await device.apply(event, writingTo: output)
    }
}

/// The state of a switch, in arguments.
enum OnOff: String, CaseIterable, Sendable {
    case on
    case off
}

/// The `waypost device airplane` command, which takes a device off the network.
struct DeviceAirplaneCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "airplane",
        abstract: "Turn Airplane Mode on or off: a device without network gets its notifications later."
    )

    @OptionGroup var device: DeviceOptions

    @Argument(help: "On or off.")
    var choice: NameArgument<OnOff>

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        try await device.apply(.setting(.airplaneModeSet(isOn: choice.value == .on)), writingTo: output)
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
        var deviceEvents = try events.map { try Self.parseEvent($0) }
        if events.isEmpty {
            try LineInput(files: []).forEachLine { deviceEvents.append(try $0.strictlyDecoded(DeviceEvent.self)) }
        }
        for event in deviceEvents { try await device.apply(event, writingTo: output) }
    }

    private static func parseEvent(_ text: String) throws(CommandFailure) -> DeviceEvent {
        guard text.drop(while: \.isWhitespace).hasPrefix("{") else {
            throw .unusable(
                """
                '\(text)' is not an event, which looks like {"type":"lockSet","isOn":true}; a file of events is read from \
                standard input
                """
            )
        }
        do {
            return try DocumentDecoder.decodeStrictly(
                DeviceEvent.self,
                from: DocumentDecoder.deepDocument(text.utf8).root
            )
        } catch let error as UnknownKeyError {
            throw .unusable("'\(text)': \(error.sentence)")
        } catch {
            throw .unusable("'\(text)' is not an event: \(DecodingError.sentence(of: error))")
        }
    }
}

extension DeviceOptions {
    /// Applies an event to the device, and writes the effects.
    func apply(_ event: DeviceEvent, writingTo output: OutputOptions) async throws {
        let (reaction, change) = try await withDevice { agent, device in
            let reaction = try await agent.apply(event, to: device)
            let change = reaction.effects.isEmpty ? try await agent.textOfChange(event, on: device) : ""
            return (reaction, change)
        }
        try output.writeExplainingNone(reaction.effects) { effects in
            effects.isEmpty ? change : effects.map(\.text).joined(separator: "\n")
        }
        let refusals = reaction.effects.compactMap(\.refusal)
        if !refusals.isEmpty, refusals.count == reaction.effects.count { throw CommandFailure.failed() }
    }

    /// Checks that the apps that a person named are on the device.
    ///
    /// - Throws: `CommandFailure` with the nearest app if one is not.
    func checkApps(_ names: [String]) async throws {
        guard !names.isEmpty else { return }
        let apps = try await withDevice { agent, device in try await agent.appDescriptions(on: device) }
            .map(\.bundleIdentifier)
        for app in names.map(BundleIdentifier.init(rawValue:)) where !apps.contains(app) {
            throw CommandFailure.failed("the device has no app '\(app)'; \(app.hint(among: apps))")
        }
    }

    /// Checks that the conversation that a person named is on the device.
    ///
    /// - Throws: `CommandFailure` with the nearest conversation if it is not.
    func checkConversation(_ name: String) async throws {
        let names = try await withDevice { agent, device in try await agent.conversations(on: device) }
            .map(\.id.rawValue)
        guard !names.contains(name) else { return }
        let hint =
            name.nearest(among: names).map { "did you mean '\($0)'?" }
            ?? (names.isEmpty ? "it has none" : "its conversations are \(names.joined(separator: ", "))")
        throw CommandFailure.failed("the device has no conversation '\(name)'; \(hint)")
    }
}

extension AgentClient {
    /// Returns the identifier of the message with a name: a whole identifier, the start of one, or `last`.
    ///
    /// - Throws: `CommandFailure` if several messages could be meant, or `last` and there is none.
    fileprivate func messageID(named name: String, on device: String) async throws -> MessageID {
        let ids = try await messages(on: device, atLeast: 0).map(\.id)
        if ids.contains(MessageID(rawValue: name)) { return MessageID(rawValue: name) }
        if name == "last" {
            guard let last = ids.last else { throw CommandFailure.failed("there are no messages on \(device)") }
            return last
        }
        let matches = ids.filter { $0.rawValue.hasPrefix(name) }
        guard matches.count <= 1 else {
            throw CommandFailure.unusable("'\(name)' could be \(matches.count) messages; add more of the identifier")
        }
        return matches.first ?? MessageID(rawValue: name)
    }

    /// Returns what an event changed that had no effects, and why the links of a message are on no shelf.
    fileprivate func textOfChange(_ event: DeviceEvent, on device: String) async throws -> String {
        guard case .sharing(.messageReceived(let message)) = event else { return event.changeText }
        var sentences = [event.changeText]
        for link in LinkDetector.links(in: message.text) {
            let explanations = try await explanations(of: link.url, on: device)
            let gates = explanations.filter { !$0.isSurfaced }
                .map { explanation in
                    let gate = "\(explanation.decidedBy?.rawValue ?? "another link") for \(explanation.app)"
                    let remedy = explanation.decidedBy?.remedy(for: explanation.app, message: message)
                    return gate + (remedy.map { " (\($0))" } ?? "")
                }
            let reason = explanations.isEmpty ? "no app takes part in Shared with You" : gates.joined(separator: ", ")
            let isShown = gates.count < explanations.count
            sentences.append(isShown ? "\(link.url) is on a shelf" : "\(link.url) is on no shelf: \(reason)")
        }
        return sentences.joined(separator: "; ")
    }
}
