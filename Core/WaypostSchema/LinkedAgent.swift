/// An agent that links itself to a gateway, so that its control API can be called through it.
public struct AgentAnnouncement: Codable, Sendable, Equatable {
    /// The base URL of the control API, for programs on the agent's machine.
    public var control: String

    /// The version of the agent.
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

/// The agents that are linked to one gateway, in a namespace.
public struct LinkedAgentList: Codable, Sendable, Equatable {
    /// The agents, in the order in which they linked themselves.
    public var agents: [LinkedAgent]

    /// Creates the value from its parts.
    public init(agents: [LinkedAgent]) {
        self.agents = agents
    }
}

/// The identifier of the link of an agent, which the gateway chooses.
public struct AgentLinkID: StringIdentifier {
    /// The identifier's text.
    public let rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// A request to an agent's control API that came through the gateway.
public struct RelayedRequest: Codable, Sendable, Equatable {
    /// The number of the request, with which the agent answers.
    public var number: Int

    /// The method.
    public var method: String

    /// The path and the query, percent-encoded.
    public var path: String

    /// The `Authorization` header for the control API, if the caller gave one.
    public var authorization: String?

    /// The `Accept` header, if the caller gave one.
    public var accept: String?

    /// The body; absent if it is empty.
    public var body: String?

    /// Creates the value from its parts.
    public init(
        number: Int,
        method: String,
        path: String,
        authorization: String? = nil,
        accept: String? = nil,
        body: String? = nil
    ) {
        self.number = number
        self.method = method
        self.path = path
        self.authorization = authorization
        self.accept = accept
        self.body = body
    }
}
