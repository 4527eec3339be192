public import WaypostSchema

/// A pin of a link in Messages.
public struct Pin: Sendable, Hashable, Codable {
    /// The conversation of the message.
    public let conversation: ConversationID

    /// The message that the link is in.
    public let message: MessageID

    /// When it was pinned, the last time where that was done repeatedly.
    public let moment: ChoiceMoment

    /// Creates the pin.
    ///
    /// - Parameters:
    ///   - conversation: the conversation of the message.
    ///   - message: the message that the link is in.
    ///   - moment: when it was pinned.
    public init(conversation: ConversationID, message: MessageID, moment: ChoiceMoment) {
        self.conversation = conversation
        self.message = message
        self.moment = moment
    }
}

/// That a link was pinned: what `ConsentChoices.pin` returns and an offer is decided on.
public struct PinOccasion: Sendable, Hashable {
    /// What the link is about.
    public let key: ContentKey

    /// The message that it is in.
    public let message: MessageID

    /// When it was pinned.
    public let moment: ChoiceMoment

    /// Whether the link was not pinned in the message already.
    public let isNew: Bool
}
