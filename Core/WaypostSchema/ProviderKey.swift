/// A key's identifier, the `kid` of provider tokens: ten letters and digits where Apple made it.
public struct ProviderKeyID: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates the identifier that `rawValue` spells.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// A team's identifier, the `iss` of provider tokens: ten letters and digits where Apple made it.
public struct TeamID: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates the identifier that `rawValue` spells.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// One of the two environments of APNs.
public enum PushEnvironment: String, Codable, Sendable, CaseIterable {
    /// `api.sandbox.push.apple.com`, for apps in development.
    case sandbox

    /// `api.push.apple.com`.
    case production
}

/// A key that provider tokens are signed with, as the gateway knows it: the public half.
public struct ProviderKey: Codable, Sendable, Equatable {
    /// Its identifier.
    public var id: ProviderKeyID

    /// The team that it belongs to.
    public var team: TeamID

    /// The public key (P-256), in PEM (`BEGIN PUBLIC KEY`).
    public var publicKey: String

    /// The topics that it is for; absent for every topic of the team.
    public var topics: [Topic]?

    /// The environment that it is for; absent for both.
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
