/// A card in Contacts.
public struct Contact: Codable, Sendable, Equatable {
    /// The card's identifier.
    public var id: ContactID

    /// The given name.
    public var givenName: String?

    /// The family name.
    public var familyName: String?

    /// The nickname.
    public var nickname: String?

    /// The language of the name as a BCP 47 tag, if the card has one; it distinguishes Chinese and Japanese names.
    public var language: String?

    /// The phone numbers and email addresses.
    public var handles: [Handle]

    /// The tokens of the person's devices, to which the gateway delivers the user's messages; absent for none.
    public var tokens: [DeviceToken]?

    /// Creates the value from its parts.
    public init(
        id: ContactID,
        givenName: String? = nil,
        familyName: String? = nil,
        nickname: String? = nil,
        language: String? = nil,
        handles: [Handle],
        tokens: [DeviceToken]? = nil
    ) {
        self.id = id
        self.givenName = givenName
        self.familyName = familyName
        self.nickname = nickname
        self.language = language
        self.handles = handles
        self.tokens = tokens
    }
}

/// A conversation in Messages.
public struct Conversation: Codable, Sendable, Equatable {
    /// The conversation's identifier.
    public var id: ConversationID

    /// The name of a group, if it has one.
    public var name: String?

    /// The participants without the device's user; one in a conversation of two.
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
    /// The message's identifier; a message with the identifier of an earlier one is ignored.
    public var id: MessageID

    /// The conversation; created if the device does not know it yet.
    public var conversation: ConversationID

    /// The sender; absent for the device's user.
    public var sender: Handle?

    /// The text.
    public var text: String

    /// The time at which the message was sent; the time of arrival if absent or later than that.
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

/// A participant of a conversation in which the user sends a message.
public struct MessageRecipient: Codable, Sendable, Equatable {
    /// The participant's phone number or email address.
    public var handle: Handle

    /// The card in Contacts with the handle; absent if there is none.
    public var contact: ContactID?

    /// The tokens of the devices to which the message goes.
    public var tokens: [DeviceToken]

    /// The reason why the message goes to these devices, or to none.
    public var explanation: String

    /// Creates the value from its parts.
    public init(handle: Handle, contact: ContactID? = nil, tokens: [DeviceToken], explanation: String) {
        self.handle = handle
        self.contact = contact
        self.tokens = tokens
        self.explanation = explanation
    }
}
