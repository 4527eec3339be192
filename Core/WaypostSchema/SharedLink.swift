/// A link with its senders, as the device knows it; never for an app.
public struct SharedLink: Codable, Sendable, Equatable {
    /// The URL, as last sent.
    public var url: String

    /// Whether the link is pinned.
    public var isPinned: Bool

    /// The conversations of the link, the one with the latest share first; never empty.
    public var conversations: [SharedConversation]

    /// Creates the value from its parts.
    public init(url: String, isPinned: Bool, conversations: [SharedConversation]) {
        self.url = url
        self.isPinned = isPinned
        self.conversations = conversations
    }
}

/// A conversation in which a link was shared.
public struct SharedConversation: Codable, Sendable, Equatable {
    /// The conversation.
    public var id: ConversationID

    /// The name of a group, if it has one.
    public var name: String?

    /// The participants, without the device's user.
    public var participants: [Person]

    /// The participants who shared the link there, each once, the latest share first.
    public var sharers: [Sharer]

    /// Creates the value from its parts.
    public init(id: ConversationID, name: String? = nil, participants: [Person], sharers: [Sharer]) {
        self.id = id
        self.name = name
        self.participants = participants
        self.sharers = sharers
    }
}

/// A participant in Messages.
public struct Person: Codable, Sendable, Equatable {
    /// The participant's address.
    public var handle: Handle

    /// The participant's card; absent if they are not a contact.
    public var contact: Contact?

    /// Creates the value from its parts.
    public init(handle: Handle, contact: Contact? = nil) {
        self.handle = handle
        self.contact = contact
    }
}

/// A participant who shared a link.
public struct Sharer: Codable, Sendable, Equatable {
    /// The participant.
    public var person: Person

    /// The time at which they last shared it.
    public var sharedAt: Timestamp

    /// Creates the value from its parts.
    public init(person: Person, sharedAt: Timestamp) {
        self.person = person
        self.sharedAt = sharedAt
    }
}
