/// A conversation that is shown over the app where its link stands.
public struct PresentedConversation: Codable, Sendable, Equatable {
    /// The app.
    public var app: BundleIdentifier

    /// The app's scene that it covers; absent where the app has none.
    public var scene: SceneIdentifier?

    /// The URL that the app shows.
    public var url: String

    /// The conversation.
    public var conversation: ConversationID

    /// Its title: the name of the group, or who takes part.
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

/// The menu in which a person chooses one of the conversations that a link is from.
public struct DisambiguationMenu: Codable, Sendable, Equatable {
    /// A conversation to choose.
    public struct Choice: Codable, Sendable, Equatable {
        /// The conversation.
        public var conversation: ConversationID

        /// Its title: the name of the group, or who takes part.
        public var title: String

        /// Creates the value from its parts.
        public init(conversation: ConversationID, title: String) {
            self.conversation = conversation
            self.title = title
        }
    }

    /// The app.
    public var app: BundleIdentifier

    /// The app's scene that it covers; absent where the app has none.
    public var scene: SceneIdentifier?

    /// The URL that the app shows.
    public var url: String

    /// What the menu asks.
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

/// Where a person is again once what covered an app is gone.
public struct ContentPlace: Codable, Sendable, Equatable {
    /// The app.
    public var app: BundleIdentifier

    /// Its scene; absent where the app has none.
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

/// A choice that a person made in an app's menu, or in the view's own, among the items of the app.
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
