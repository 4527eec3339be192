/// The public part of a key that signs provider tokens, as the gateway knows it.
public struct ProviderKey: Codable, Sendable, Equatable {
    /// The key's identifier.
    public var id: ProviderKeyID

    /// The team that owns the key.
    public var team: TeamID

    /// The public key (P-256), in PEM (`BEGIN PUBLIC KEY`).
    public var publicKey: String

    /// The topics that the key may be used for; absent for all topics of the team.
    public var topics: [Topic]?

    /// The environment that the key is valid in; absent for both.
    public var environment: PushEnvironment?

    /// Creates the value from its parts.
    public init(
        id: ProviderKeyID,
        team: TeamID,
        publicKey: String,
        topics: [Topic]? = nil,
        environment: PushEnvironment? = nil
    ) {
        self.id = id
        self.team = team
        self.publicKey = publicKey
        self.topics = topics
        self.environment = environment
    }
}
