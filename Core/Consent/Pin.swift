public import WaypostSchema

/// A pin of a link in Messages.
public struct Pin: Sendable, Hashable, Codable {
    /// The conversation of the message.
    public let conversation: ConversationID

    /// The message that contains the link.
    public let message: MessageID

    /// The time and number of the event that pinned the link; of the latest one if it was pinned repeatedly.
    public let moment: EventMoment

    /// Creates the pin.
    ///
    /// - Parameters:
    ///   - conversation: the conversation of the message.
    ///   - message: the message that contains the link.
    ///   - moment: the time and number of the event.
    public init(conversation: ConversationID, message: MessageID, moment: EventMoment) {
        self.conversation = conversation
        self.message = message
        self.moment = moment
    }
}

/// The result of `ConsentChoices.pin`, from which `considerOffer(for:after:)` decides about an offer.
public struct PinResult: Sendable, Hashable {
    /// The content key of the link.
    public let key: ContentKey

    /// The message that contains the link.
    public let message: MessageID

    /// The time and number of the event that pinned the link.
    public let moment: EventMoment

    /// Whether the link was not already pinned in the message.
    public let isNew: Bool
}
