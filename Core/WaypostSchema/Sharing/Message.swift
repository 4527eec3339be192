/// A message in a conversation.
public struct Message: Codable, Sendable, Equatable {
    /// The message's identifier; a message with the identifier of an earlier one is ignored.
    public var id: MessageID

    /// The conversation; created if the device does not know it yet.
    public var conversation: ConversationID

    /// The sender; absent for the device's user.
    public var sender: Handle?

    /// The text.
    public var text: String

    /// The time at which the message was sent; the time of arrival if absent or later than that.
    public var sentAt: Timestamp?

    /// Creates the value from its parts.
    public init(
        id: MessageID,
        conversation: ConversationID,
        sender: Handle? = nil,
        text: String,
        sentAt: Timestamp? = nil
    ) {
        self.id = id
        self.conversation = conversation
        self.sender = sender
        self.text = text
        self.sentAt = sentAt
    }
}
