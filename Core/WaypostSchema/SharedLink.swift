/// A link with those who shared it: what the device knows, and no app.
public struct SharedLink: Codable, Sendable, Equatable {
    /// The URL, as it was sent last.
    public var url: String

    /// Whether it is pinned.
    public var isPinned: Bool

    /// The conversations that it is from, the one with the latest share first; never empty.
    public var conversations: [SharedConversation]

    /// Creates the value from its parts.
    public init(url: String, isPinned: Bool, conversations: [SharedConversation]) {
        self.url = url
        self.isPinned = isPinned
        self.conversations = conversations
    }
}

/// A conversation that a link was shared in.
public struct SharedConversation: Codable, Sendable, Equatable {
    /// The conversation.
    public var id: ConversationID

    /// The name of a group, where it was given one.
    public var name: String?

    /// Who takes part, without the person whose device it is.
    public var participants: [Person]

    /// Who shared the link there, each once, whoever did so last first.
    public var sharers: [Sharer]

    /// Creates the value from its parts.
    public init(id: ConversationID, name: String? = nil, participants: [Person], sharers: [Sharer]) {
        self.id = id
        self.name = name
        self.participants = participants
        self.sharers = sharers
    }
}

/// Somebody in Messages.
public struct Person: Codable, Sendable, Equatable {
    /// Where they are reached.
    public var handle: Handle

    /// Their card; absent where they are no contact.
    public var contact: Contact?

    /// Creates the value from its parts.
    public init(handle: Handle, contact: Contact? = nil) {
        self.handle = handle
        self.contact = contact
    }
}

/// Somebody who shared a link.
public struct Sharer: Codable, Sendable, Equatable {
    /// Who.
    public var person: Person

    /// When they shared it last.
    public var sharedAt: Timestamp

    /// Creates the value from its parts.
    public init(person: Person, sharedAt: Timestamp) {
        self.person = person
        self.sharedAt = sharedAt
    }
}
