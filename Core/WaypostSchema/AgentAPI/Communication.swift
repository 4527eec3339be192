/// The message or call that a notification is about, as the app's service extension donates it (`INInteraction`).
public struct Communication: Codable, Sendable, Equatable {
    /// The sender of the message, or the caller.
    public var sender: CommunicationSender

    /// The app's identifier of the conversation, which groups its notifications; absent for none.
    public var conversation: String?

    /// Whether more people than the user and the sender take part; absent for no.
    public var isGroup: Bool?

    /// The name of the group; absent for none.
    public var groupName: String?

    /// Creates the value from its parts.
    public init(
        sender: CommunicationSender,
        conversation: String? = nil,
        isGroup: Bool? = nil,
        groupName: String? = nil
    ) {
        self.sender = sender
        self.conversation = conversation
        self.isGroup = isGroup
        self.groupName = groupName
    }
}
