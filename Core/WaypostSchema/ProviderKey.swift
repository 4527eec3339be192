/// A key's identifier, the `kid` of provider tokens; Apple's have ten letters and digits.
public struct ProviderKeyID: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// A team's identifier, the `iss` of provider tokens; Apple's have ten letters and digits.
public struct TeamID: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates an identifier from its text.
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

/// The last use of a key, as one gateway knows it since its start.
public struct ProviderKeyUse: Codable, Sendable, Equatable {
    /// The identifier of the key.
    public var id: ProviderKeyID

    /// The time of the first request with the latest of the key's tokens.
    public var tokenSince: Timestamp

    /// The time of the last request.
    public var lastUse: Timestamp

    /// Creates the value from its parts.
    public init(id: ProviderKeyID, tokenSince: Timestamp, lastUse: Timestamp) {
        self.id = id
        self.tokenSince = tokenSince
        self.lastUse = lastUse
    }
}
