public import WaypostSchema

/// What an attribution view is to show, before anything is known of the room for it.
public struct AttributionContent: Sendable, Equatable {
    /// Who shared the link, each once, whoever did so last first; never empty.
    public let people: [ShownPerson]

    /// Whether the link is pinned.
    public let isPinned: Bool

    /// The conversations that it is from, the one with the latest share first; never empty.
    public let conversations: [ShownConversation]

    /// The language of the words.
    public let language: AttributionLanguage

    /// Creates the value from its parts.
    ///
    /// - Parameters:
    ///   - people: who shared the link, each once, whoever did so last first; not empty.
    ///   - isPinned: whether the link is pinned.
    ///   - conversations: the conversations that it is from, the one with the latest share first; not empty.
    ///   - language: the language of the words.
    public init(
        people: [ShownPerson],
        isPinned: Bool,
        conversations: [ShownConversation],
        language: AttributionLanguage
    ) {
        self.people = people
        self.isPinned = isPinned
        self.conversations = conversations
        self.language = language
    }
}

/// Somebody, as an attribution view shows them.
public struct ShownPerson: Sendable, Equatable {
    /// What they are called: plain text without control characters, on one line; never empty.
    public let name: String

    /// What their avatar shows.
    public let monogram: Monogram

    /// The colour of their avatar.
    public let color: AvatarColor

    /// Creates the value from its parts.
    public init(name: String, monogram: Monogram, color: AvatarColor) {
        self.name = name
        self.monogram = monogram
        self.color = color
    }
}

/// A conversation, as a menu shows it.
public struct ShownConversation: Sendable, Equatable {
    /// The conversation.
    public let id: ConversationID

    /// The name of the group, or who takes part: plain text on one line; never empty.
    public let title: String

    /// Creates the value from its parts.
    public init(id: ConversationID, title: String) {
        self.id = id
        self.title = title
    }
}
