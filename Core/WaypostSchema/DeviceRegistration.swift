/// A request to register a device with the gateway.
public struct DeviceRegistration: Codable, Sendable, Equatable {
    /// The device's name, for people.
    public var name: String

    /// The topics it takes notifications for.
    public var topics: [Topic]

    /// The secret of an agent that the device joins; absent for an agent of its own.
    public var secret: AgentSecret?

    /// The token that it is to have; absent for one that the gateway makes.
    public var token: DeviceToken?

    /// Creates the value from its parts.
    public init(name: String, topics: [Topic], secret: AgentSecret? = nil, token: DeviceToken? = nil) {
        self.name = name
        self.topics = topics
        self.secret = secret
        self.token = token
    }
}

/// The answer to a registration.
public struct DeviceCredential: Codable, Sendable, Equatable {
    /// The device's token: what providers send to.
    public var token: DeviceToken

    /// The agent's secret: what its stream and its acknowledgements are authorised with.
    public var secret: AgentSecret

    /// Creates the value from its parts.
    public init(token: DeviceToken, secret: AgentSecret) {
        self.token = token
        self.secret = secret
    }
}
