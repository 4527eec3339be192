/// A person's card in Contacts.
public struct Contact: Codable, Sendable, Equatable {
    /// What the card is known by.
    public var id: ContactID

    /// The given name.
    public var givenName: String?

    /// The family name.
    public var familyName: String?

    /// The nickname.
    public var nickname: String?

    /// The language of the name as a BCP 47 tag, where the card says: it tells a Chinese name from a Japanese one.
    public var language: String?

    /// Where the person is reached.
    public var handles: [Handle]

    /// Creates the value from its parts.
    public init(
        id: ContactID,
        givenName: String? = nil,
        familyName: String? = nil,
        nickname: String? = nil,
        language: String? = nil,
        handles: [Handle]
    ) {
        self.id = id
        self.givenName = givenName
        self.familyName = familyName
        self.nickname = nickname
        self.language = language
        self.handles = handles
    }
}

/// A conversation in Messages.
public struct Conversation: Codable, Sendable, Equatable {
    /// What the conversation is known by.
    public var id: ConversationID

    /// The name of a group, where it was given one.
    public var name: String?

    /// Who takes part, without the person whose device it is; one for a conversation of two.
    public var participants: [Handle]

    /// Creates the value from its parts.
    public init(id: ConversationID, name: String? = nil, participants: [Handle]) {
        self.id = id
        self.name = name
        self.participants = participants
    }
}

/// A message in a conversation.
public struct Message: Codable, Sendable, Equatable {
    /// What the message is known by; a message that comes again is ignored.
    public var id: MessageID

    /// The conversation that it is in; one that is not known yet begins with it.
    public var conversation: ConversationID

    /// Who sent it; absent for the person whose device it is.
    public var sender: Handle?

    /// Its text.
    public var text: String

    /// When it was sent; absent for when the device took it in, which is also the latest that counts.
    public var sentAt: Timestamp?

    /// Creates the value from its parts.
    public init(
        id: MessageID,
        conversation: ConversationID,
        sender: Handle? = nil,
        text: String,
        sentAt: Timestamp? = nil
    ) {
        self.id = id
        self.conversation = conversation
        self.sender = sender
        self.text = text
        self.sentAt = sentAt
    }
}
