internal import ArgumentParser
internal import Foundation
internal import GatewayClient
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
        let contacts = try await device.withDevice { agent, device in try await agent.contacts(on: device) }
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
        let messages = try await device.withDevice { agent, device in try await agent.messages(on: device, atLeast: 0) }
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
