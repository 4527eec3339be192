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
