internal import HashTreeCollections
internal import WaypostSchema

/// A message as the device stores it.
struct StoredMessage: Sendable, Codable {
    let conversation: ConversationID
    let sender: Handle?
    let sentAt: Timestamp

    /// The number of the message in the order of arrival.
    let arrival: Int

    var text: String

    /// The time since when the message has had its links.
    ///
    /// An edit sets it only if the text is still new or the links changed.
    var changedAt: Timestamp

    /// The links of the text that have a key, each key once.
    var links: [StoredLink]
}

/// A link of a message.
struct StoredLink: Sendable, Codable {
    /// The URL as it was sent.
    let url: String

    /// The index among the links of the text.
    let index: Int

    /// The content of the link after all resolutions.
    let content: LinkContent

    /// The number of the event with which the message got the link.
    let eventNumber: Int
}

/// The content of a link, and the URL that an app receives.
struct LinkContent: Sendable, Codable {
    let key: ContentKey
    let host: String
    let url: String
}

/// A conversation as the device stores it.
struct StoredConversation: Sendable, Codable {
    /// The description of the conversation; `nil` if it is known only from its messages.
    var declared: Conversation?

    /// The senders of its messages.
    var senders: Set<CanonicalHandle> = []

    /// The messages that contain links.
    var linkMessages = TreeSet<MessageID>()

    /// The messages without links.
    var plainMessages = TreeSet<MessageID>()

    /// Another participant who is a contact; `nil` if there is none.
    var contact: CanonicalHandle?

    /// The declared participants, or the senders if none were declared; the user may be among them.
    var participants: [CanonicalHandle] {
        participantHandles.map(CanonicalHandle.init)
    }

    /// The participants with the spelling of the declaration.
    var participantHandles: [Handle] {
        declared?.participants ?? senders.map(\.text).sorted().map(Handle.init(rawValue:))
    }

    /// Everyone who may affect a decision about the conversation.
    var people: Set<CanonicalHandle> {
        senders.union(participants)
    }
}
