/// A request to replace the secret of an agent.
public struct SecretRotation: Codable, Sendable, Equatable {
    /// The new secret, which the agent chooses and stores before it sends it, so that no lost answer locks it out.
    public var secret: BearerSecret

    /// Creates the value from its parts.
    public init(secret: BearerSecret) {
        self.secret = secret
    }
}
