internal import HashTreeCollections
internal import WaypostSchema

/// A message as the device keeps it.
struct StoredMessage: Sendable, Codable {
    let conversation: ConversationID
    let sender: Handle?
    let sentAt: Timestamp
    var text: String

    /// Since when the message has had its links, as far as that counts.
    var changedAt: Timestamp

    /// The links of the text that have a key, each once.
    var links: [StoredLink]
}

/// A link of a message.
struct StoredLink: Sendable, Codable {
    /// The URL, as it was sent.
    let url: String

    /// What the link is about, with all that was resolved.
    let content: LinkContent
}

/// What a link is about, and what an app is handed.
struct LinkContent: Sendable, Codable {
    let key: ContentKey
    let host: String
    let url: String
}

/// A conversation as the device keeps it.
struct StoredConversation: Sendable, Codable {
    /// What is known of it; `nil` where only its messages are.
    var declared: Conversation?

    /// Who sent its messages.
    var senders: Set<CanonicalHandle> = []

    /// Its messages with links.
    var linkMessages = TreeSet<MessageID>()

    /// Its other messages.
    var plainMessages = TreeSet<MessageID>()

    /// A participant who is a contact; `nil` where nobody is.
    var contact: CanonicalHandle?

    /// Who takes part: who is said to, or else who was heard of.
    var participants: [CanonicalHandle] {
        declared.map { $0.participants.map(CanonicalHandle.init) } ?? senders.sorted { $0.text < $1.text }
    }

    /// Everybody on whom a decision about the conversation may hang.
    var people: Set<CanonicalHandle> {
        senders.union(participants)
    }
}
