/// A conversation in which a link was shared.
public struct SharedConversation: Codable, Sendable, Equatable {
    /// The conversation.
    public var id: ConversationID

    /// The name of a group, if it has one.
    public var name: String?

    /// The participants, without the device's user.
    public var participants: [Person]

    /// The participants who shared the link there, the latest share first.
    ///
    /// A device names only the sender of the latest message with the link.
    public var sharers: [Sharer]

    /// Creates the value from its parts.
    public init(id: ConversationID, name: String? = nil, participants: [Person], sharers: [Sharer]) {
        self.id = id
        self.name = name
        self.participants = participants
        self.sharers = sharers
    }
}
