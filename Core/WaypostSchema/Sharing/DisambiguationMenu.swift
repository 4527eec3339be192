/// The menu in which the user chooses one of the conversations of a link.
public struct DisambiguationMenu: Codable, Sendable, Equatable {
    /// A conversation in the menu.
    public struct Choice: Codable, Sendable, Equatable {
        /// The conversation.
        public var conversation: ConversationID

        /// The title: the name of the group, or the participants.
        public var title: String

        /// Creates the value from its parts.
        public init(conversation: ConversationID, title: String) {
            self.conversation = conversation
            self.title = title
        }
    }

    /// The app.
    public var app: BundleIdentifier

    /// The app's scene that the menu covers; absent if the app has none.
    public var scene: SceneIdentifier?

    /// The URL that the app shows.
    public var url: String

    /// The menu's question.
    public var title: String

    /// The conversations, the one with the latest share first.
    public var choices: [Choice]

    /// Creates the value from its parts.
    public init(
        app: BundleIdentifier,
        scene: SceneIdentifier? = nil,
        url: String,
        title: String,
        choices: [Choice]
    ) {
        self.app = app
        self.scene = scene
        self.url = url
        self.title = title
        self.choices = choices
    }
}
