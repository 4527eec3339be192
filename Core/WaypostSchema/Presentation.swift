/// A conversation that the device shows over an app that displays the link.
public struct PresentedConversation: Codable, Sendable, Equatable {
    /// The app.
    public var app: BundleIdentifier

    /// The app's scene that the conversation covers; absent if the app has none.
    public var scene: SceneIdentifier?

    /// The URL that the app shows.
    public var url: String

    /// The conversation.
    public var conversation: ConversationID

    /// The title: the name of the group, or the participants.
    public var title: String

    /// Creates the value from its parts.
    public init(
        app: BundleIdentifier,
        scene: SceneIdentifier? = nil,
        url: String,
        conversation: ConversationID,
        title: String
    ) {
        self.app = app
        self.scene = scene
        self.url = url
        self.conversation = conversation
        self.title = title
    }
}

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

/// The content to which the user returns when nothing covers the app any more.
public struct ContentPlace: Codable, Sendable, Equatable {
    /// The app.
    public var app: BundleIdentifier

    /// The app's scene; absent if the app has none.
    public var scene: SceneIdentifier?

    /// The URL that the app shows.
    public var url: String

    /// Creates the value from its parts.
    public init(app: BundleIdentifier, scene: SceneIdentifier? = nil, url: String) {
        self.app = app
        self.scene = scene
        self.url = url
    }
}

/// An app's own item that the user chose in the app's menu or in the menu of an attribution view.
public struct ChosenMenuItem: Codable, Sendable, Equatable {
    /// The app.
    public var app: BundleIdentifier

    /// The view.
    public var view: AttributionViewID

    /// The item.
    public var item: MenuItemID

    /// Creates the value from its parts.
    public init(app: BundleIdentifier, view: AttributionViewID, item: MenuItemID) {
        self.app = app
        self.view = view
        self.item = item
    }
}
