/// An agent whose control API can be called through a gateway.
public struct LinkedAgent: Codable, Sendable, Equatable {
    /// The identifier of the link.
    public var id: AgentLinkID

    /// The base URL of the control API, for programs on the agent's machine.
    public var control: String

    /// The version of the agent.
    public var version: String

    /// Whether the control API demands a token.
    public var requiresToken: Bool

    /// Creates the value from its parts.
    public init(id: AgentLinkID, _ announcement: AgentAnnouncement) {
        self.id = id
        control = announcement.control
        version = announcement.version
        requiresToken = announcement.requiresToken
    }
}
