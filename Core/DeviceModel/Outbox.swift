internal import Highlights
public import WaypostSchema

/// A message of the user that the gateway has not accepted yet.
public struct OutgoingMessage: Sendable, Codable, Equatable {
    /// The message as the other participants receive it: with its sender.
    public var message: Message

    /// The tokens of the other participants' devices.
    public var tokens: [DeviceToken]
}

extension DeviceModel {
    /// Adds a message to the outbox unless it goes to no device, and returns its recipients with the reasons.
    mutating func enqueue(_ message: Message) -> [MessageRecipient] {
        let recipients = recipients(of: message.conversation)
        let tokens = recipients.flatMap(\.tokens)
        if let handle, !tokens.isEmpty {
            var messageWithSender = message
            messageWithSender.sender = handle
            messageWithSender.sentAt = message.sentAt ?? sharing.clock
            outbox.append(OutgoingMessage(message: messageWithSender, tokens: tokens))
        }
        return recipients
    }

    /// Removes a message that the gateway has accepted.
    mutating func removeFromOutbox(_ message: MessageID) throws(IgnoredEvent) -> [DeviceEffect] {
        guard let index = outbox.firstIndex(where: { $0.message.id == message }) else {
            throw IgnoredEvent(reason: .unknownMessage, explanation: "the message \(message) does not wait to be sent")
        }
        outbox.remove(at: index)
        return []
    }

    private func recipients(of id: ConversationID) -> [MessageRecipient] {
        sharing.otherParticipants(of: id).map { participant in
            guard let contact = sharing.contact(for: participant) else {
                return MessageRecipient(
                    handle: participant,
                    tokens: [],
                    explanation: "no contact has \(participant), so no device of this person is known"
                )
            }
            let tokens = contact.tokens ?? []
            let reason =
                if handle == nil {
                    "the device has no 'handle', so the message would have no sender"
                } else if tokens.isEmpty {
                    "the contact \(contact.id) has no 'tokens', so no device of this person is known"
                } else {
                    "the message goes to \(tokens.count == 1 ? "a device" : "\(tokens.count) devices") of the contact \(contact.id)"
                }
            return MessageRecipient(
                handle: participant,
                contact: contact.id,
                tokens: handle == nil ? [] : tokens,
                explanation: reason
            )
        }
    }
}
