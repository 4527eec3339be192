/// A conversation in Messages.
public struct Conversation: Codable, Sendable, Equatable {
    /// The conversation's identifier.
    public var id: ConversationID

    /// The name of a group, if it has one.
    public var name: String?

    /// The participants without the device's user; one in a conversation of two.
    public var participants: [Handle]

    /// Creates the value from its parts.
    public init(id: ConversationID, name: String? = nil, participants: [Handle]) {
        self.id = id
        self.name = name
        self.participants = participants
    }
}
