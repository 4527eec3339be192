internal import ArgumentParser
internal import Attribution
internal import Foundation
internal import GatewayClient
internal import TextBasics
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
                    contact.language ?? "", contact.photo.flatMap { try? ContactPhoto(base64: $0) }?.description ?? "",
                    contact.handles.map(\.rawValue).joined(separator: ", "),
                ]
            }
            return TextTable(
                header: ["Contact", "Given name", "Family name", "Nickname", "Language", "Photo", "Handles"],
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
                    message.sender?.rawValue ?? "the user", message.text,
                ]
            }
            return TextTable(header: ["Sent", "Message", "Conversation", "From", "Text"], rows: rows)
        }
    }
}

/// The `waypost device receive-message` command, which lets a message arrive.
struct DeviceReceiveMessageCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "receive-message",
        abstract: "Let a message arrive on a device, and say on which shelves its links are, or why not."
    )

    @OptionGroup var device: DeviceOptions

    @Option(help: "The sender: a phone number, an email address, or the name of a contact.")
    var from: String

    @Option(help: "The conversation (default: the one with the sender alone).")
    var conversation: String?

    @Option(help: "The identifier of the message (default: a new one).")
    var id: String?

    @Argument(help: "The text, with its links.")
    var text: String

    @OptionGroup(title: "Output") var output: OutputOptions

    func perform() async throws {
        let contacts = try await device.withDevice { agent, device in try await agent.contacts(on: device) }
        let message = Message(
            id: MessageID(rawValue: id ?? "message-\(UUID().uuidString.lowercased())"),
            conversation: ConversationID(rawValue: conversation ?? from),
            sender: try sender(among: contacts),
            text: text
        )
        try await device.apply(.sharing(.messageReceived(message)), writingTo: output)
    }

    private func sender(among contacts: [Contact]) throws -> Handle {
        let reachable = contacts.filter { !$0.handles.isEmpty }
        if let contact = reachable.first(where: { $0.names.contains(from) }) { return contact.handles[0] }
        let handle = Handle(rawValue: from)
        guard !handle.isPhoneNumberOrEmailAddress, !contacts.contains(where: { $0.handles.contains(handle) }) else {
            return handle
        }
        let hint = from.nearest(among: reachable.flatMap(\.names)).map { "did you mean '\($0)'?" }
        throw CommandFailure.unusable(
            """
            --from '\(from)' is neither a phone number, nor an email address, nor the name of a contact with one; \
            \(hint ?? "see 'waypost device contacts'")
            """
        )
    }
}

/// The `waypost device save-contact` command, which saves a card in Contacts.
struct DeviceSaveContactCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "save-contact",
        abstract: "Save a card in the Contacts of a device, or replace the card with the same identifier."
    )

    @OptionGroup var device: DeviceOptions

    @Argument(help: "The given name.")
    var givenName: String

    @Argument(help: "The phone numbers and email addresses.")
    var handles: [String]

    @Option(help: "The family name.")
    var familyName: String?

    @Option(help: "The nickname.")
    var nickname: String?

    @Option(help: "The photograph: a PNG or JPEG file of at most 1 MB.", completion: .file())
    var photo: String?

    @Option(help: "The identifier of the card (default: the given name).")
    var id: String?

    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        for handle in handles where !Handle(rawValue: handle).isPhoneNumberOrEmailAddress {
            throw ValidationError(
                "'\(handle)' is neither a phone number nor an email address; --family-name has the rest of a name"
            )
        }
    }

    func perform() async throws {
        let contact = Contact(
            id: ContactID(rawValue: id ?? givenName),
            givenName: givenName,
            familyName: familyName,
            nickname: nickname,
            photo: try photo.map(Self.base64),
            handles: handles.map(Handle.init(rawValue:))
        )
        try await device.apply(.sharing(.contactChanged(contact)), writingTo: output)
    }

    /// Returns the photograph in a file.
    private static func base64(ofPhotoIn path: String) throws -> String {
        let base64 = Data(try InputFile(path: path).readToEnd()).base64EncodedString()
        do throws(ContactPhotoError) {
            _ = try ContactPhoto(base64: base64)
        } catch {
            throw CommandFailure.unusable("\(path): \(error)")
        }
        return base64
    }
}

extension Contact {
    /// The names by which a person means the contact.
    fileprivate var names: [String] {
        let fullName = [givenName, familyName].compactMap(\.self).joined(separator: " ")
        return [id.rawValue, givenName, familyName, nickname, fullName].compactMap(\.self).filter { !$0.isEmpty }
    }
}
