/// The verdict on the link of one message.
public struct MessageVerdict: Codable, Sendable, Equatable {
    /// The message.
    public var message: MessageID

    /// The conversation of the message.
    public var conversation: ConversationID

    /// The sender; absent if the user sent it.
    public var sender: Handle?

    /// The time at which the message was sent, or the time that counts instead.
    public var sentAt: Timestamp

    /// The URL, as sent.
    public var url: String

    /// The first gate that failed; absent if none did.
    public var decidedBy: SurfacingGate?

    /// Creates the value from its parts.
    public init(
        message: MessageID,
        conversation: ConversationID,
        sender: Handle? = nil,
        sentAt: Timestamp,
        url: String,
        decidedBy: SurfacingGate? = nil
    ) {
        self.message = message
        self.conversation = conversation
        self.sender = sender
        self.sentAt = sentAt
        self.url = url
        self.decidedBy = decidedBy
    }
}
