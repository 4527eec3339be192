public import WaypostSchema

/// What is in Contacts and Messages, for the person whose device it is.
extension SharedWithYou {
    /// The cards in Contacts, in the order of their identifiers.
    public var contacts: [Contact] {
        messageStore.contacts.all.sorted { $0.id.rawValue < $1.id.rawValue }
    }

    /// The conversations, in the order of their identifiers; who was only heard of takes part as well.
    public var conversations: [Conversation] {
        messageStore.conversations.sorted { $0.key.rawValue < $1.key.rawValue }.map { id, conversation in
            conversation.declared
                ?? Conversation(
                    id: id,
                    participants: conversation.participants.map { Handle(rawValue: $0.text) }
                )
        }
    }

    /// The messages, the oldest first.
    ///
    /// - Complexity: O(n log n) for n messages.
    public var messages: [Message] {
        messageStore.messages.sorted { left, right in
            (left.value.sentAt.rawValue, left.key.rawValue) < (right.value.sentAt.rawValue, right.key.rawValue)
        }.map { id, stored in
            Message(
                id: id,
                conversation: stored.conversation,
                sender: stored.sender,
                text: stored.text,
                sentAt: stored.sentAt
            )
        }
    }
}
