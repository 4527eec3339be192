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

extension AttributionContent {
    /// Returns the menu in which a person chooses one of the conversations.
    ///
    /// - Parameters:
    ///   - app: the app that the menu covers.
    ///   - scene: its scene; `nil` where it has none.
    ///   - url: the URL that the app shows.
    /// - Returns: the menu, the conversation with the latest share first; where there is one conversation, nobody needs it.
    public func disambiguation(
        app: BundleIdentifier,
        scene: SceneIdentifier? = nil,
        url: String
    ) -> DisambiguationMenu {
        DisambiguationMenu(
            app: app,
            scene: scene,
            url: url,
            title: Phrase.conversationQuestion.text(in: language),
            choices: conversations.map { DisambiguationMenu.Choice(conversation: $0.id, title: $0.title) }
        )
    }
}
