public import WaypostSchema

/// The content of an attribution view, independent of the available space.
public struct AttributionContent: Sendable, Equatable {
    /// The people who shared the link, each once, the latest sharer first; never empty.
    public let people: [ShownPerson]

    /// Whether the link is pinned.
    public let isPinned: Bool

    /// The conversations with the link, the one with the latest share first; never empty.
    public let conversations: [ShownConversation]

    /// The language of the text.
    public let language: AttributionLanguage

    /// Creates the value from its parts.
    ///
    /// - Parameters:
    ///   - people: the people who shared the link, each once, the latest sharer first; not empty.
    ///   - isPinned: whether the link is pinned.
    ///   - conversations: the conversations with the link, the one with the latest share first; not empty.
    ///   - language: the language of the text.
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

/// A person as an attribution view shows them.
public struct ShownPerson: Sendable, Equatable {
    /// The person's name: plain text on one line, without control characters; never empty.
    public let name: String

    /// The monogram in the person's avatar.
    public let monogram: Monogram

    /// The color of the person's avatar.
    public let color: AvatarColor

    /// The photograph on the person's card, as base64, which the avatar shows in place of the monogram.
    public let photo: String?

    /// Creates the value from its parts.
    public init(name: String, monogram: Monogram, color: AvatarColor, photo: String? = nil) {
        self.name = name
        self.monogram = monogram
        self.color = color
        self.photo = photo
    }
}

extension ShownPerson {
    /// Creates a person under a name.
    public init(_ person: Person, named name: String) {
        self.init(
            name: name,
            monogram: Monogram(of: person),
            color: AvatarColor(of: person),
            photo: person.contact?.photo
        )
    }
}

/// A conversation as a menu shows it.
public struct ShownConversation: Sendable, Equatable {
    /// The identifier of the conversation.
    public let id: ConversationID

    /// The name of the group, or the names of the participants: plain text on one line; never empty.
    public let title: String

    /// The people whose avatars a menu shows beside the title: the participants without the user.
    public let people: [ShownPerson]

    /// Creates the value from its parts.
    public init(id: ConversationID, title: String, people: [ShownPerson] = []) {
        self.id = id
        self.title = title
        self.people = people
    }
}

extension AttributionContent {
    /// The people of each conversation, for the avatars of a disambiguation menu.
    public var peopleByConversation: [ConversationID: [ShownPerson]] {
        Dictionary(conversations.map { ($0.id, $0.people) }) { first, _ in first }
    }

    /// Returns the menu in which the user chooses one of the conversations.
    ///
    /// - Parameters:
    ///   - app: the app that the menu covers.
    ///   - scene: the app's scene; `nil` if there is none.
    ///   - url: the URL that the app shows.
    /// - Returns: the menu, with the conversation with the latest share first. With only one conversation, no menu is
    ///   needed.
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
