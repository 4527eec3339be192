internal import HashTreeCollections
public import WaypostSchema

/// The contents of Contacts and Messages, as the device's user sees them.
extension SharedWithYou {
    /// The contact cards, sorted by identifier.
    public var contacts: [Contact] {
        messageStore.contacts.all.sorted { $0.id.rawValue < $1.id.rawValue }
    }

    /// Returns the contact with an identifier; `nil` if there is none.
    public func contact(_ id: ContactID) -> Contact? {
        messageStore.contacts[id]
    }

    /// Returns the contact that has a handle; of several, the one with the smallest identifier.
    public func contact(for handle: Handle) -> Contact? {
        messageStore.contacts.contact(for: CanonicalHandle(handle)).flatMap { messageStore.contacts[$0] }
    }

    /// Returns a conversation, or `nil` if the device has no such conversation.
    ///
    /// If it is known only from its messages, their senders other than the user are its participants.
    public func conversation(_ id: ConversationID) -> Conversation? {
        messageStore.conversations[id].map { conversation in
            conversation.declared ?? Conversation(id: id, participants: otherParticipants(of: id))
        }
    }

    /// Returns the participants of a conversation without the user, as they are written if they were declared.
    public func otherParticipants(of id: ConversationID) -> [Handle] {
        guard let conversation = messageStore.conversations[id] else { return [] }
        return conversation.participantHandles.filter { !messageStore.ownHandles.contains(CanonicalHandle($0)) }
    }

    /// The conversations, sorted by identifier.
    public var conversations: [Conversation] {
        messageStore.conversations.keys.sorted { $0.rawValue < $1.rawValue }.compactMap(conversation)
    }

    /// The messages, the oldest first; those of the same millisecond in the order of arrival.
    ///
    /// The user's messages have no sender, even if they came from one of the user's own handles.
    ///
    /// - Complexity: O(n log n) for n messages.
    public var messages: [Message] {
        messageStore.messages.sorted { left, right in
            (left.value.sentAt, left.value.arrival) < (right.value.sentAt, right.value.arrival)
        }.map { id, stored in
            Message(
                id: id,
                conversation: stored.conversation,
                sender: messageStore.isOwn(stored) ? nil : stored.sender,
                text: stored.text,
                sentAt: stored.sentAt
            )
        }
    }
}
