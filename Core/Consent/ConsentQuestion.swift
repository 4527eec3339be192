public import WaypostSchema

/// Whether a link that was shared in a conversation may become available to an app.
public struct ConsentQuestion: Sendable, Hashable {
    /// What the link is about.
    public var key: ContentKey

    /// The app.
    public var app: BundleIdentifier

    /// The conversation.
    public var conversation: ConversationID

    /// Creates the question.
    ///
    /// - Parameters:
    ///   - key: what the link is about.
    ///   - app: the app that it would become available to.
    ///   - conversation: the conversation that it was shared in.
    public init(key: ContentKey, app: BundleIdentifier, conversation: ConversationID) {
        self.key = key
        self.app = app
        self.conversation = conversation
    }
}
