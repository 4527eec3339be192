/// The agents that are linked to one gateway, in a namespace.
public struct LinkedAgentList: Codable, Sendable, Equatable {
    /// The agents, in the order in which they linked themselves.
    public var agents: [LinkedAgent]

    /// Creates the value from its parts.
    public init(agents: [LinkedAgent]) {
        self.agents = agents
    }
}
