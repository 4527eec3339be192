public import WaypostSchema

/// The question whether a link that was shared in a conversation may become available to an app.
public struct ConsentQuestion: Sendable, Hashable {
    /// The content key of the link.
    public var key: ContentKey

    /// The app that the link would become available to.
    public var app: BundleIdentifier

    /// The conversation that the link was shared in.
    public var conversation: ConversationID

    /// The number of the event with which the message got the link; `nil` for a link that would come now.
    public var eventNumber: Int?

    /// Creates the question.
    ///
    /// - Parameters:
    ///   - key: the content key of the link.
    ///   - app: the app that the link would become available to.
    ///   - conversation: the conversation that the link was shared in.
    ///   - eventNumber: the number of the event with which the message got the link; `nil` for a link that would
    ///     come now.
    public init(
        key: ContentKey,
        app: BundleIdentifier,
        conversation: ConversationID,
        eventNumber: Int? = nil
    ) {
        self.key = key
        self.app = app
        self.conversation = conversation
        self.eventNumber = eventNumber
    }
}
