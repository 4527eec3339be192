/// An agent that links itself to a gateway, so that its control API can be called through it.
public struct AgentAnnouncement: Codable, Sendable, Equatable {
    /// The base URL of the control API, for programs on the agent's machine; at most 500 bytes.
    public var control: String

    /// The version of the agent; at most 100 bytes.
    public var version: String

    /// Whether the control API demands a token.
    public var requiresToken: Bool

    /// Creates the value from its parts.
    public init(control: String, version: String, requiresToken: Bool) {
        self.control = control
        self.version = version
        self.requiresToken = requiresToken
    }
}
