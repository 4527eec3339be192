public import WaypostSchema

/// The contents of Contacts and Messages, as the device's user sees them.
extension SharedWithYou {
    /// The contact cards, sorted by identifier.
    public var contacts: [Contact] {
        messageStore.contacts.all.sorted { $0.id.rawValue < $1.id.rawValue }
    }

    /// The conversations, sorted by identifier.
    ///
    /// If a conversation is known only from its messages, its senders are its participants.
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
