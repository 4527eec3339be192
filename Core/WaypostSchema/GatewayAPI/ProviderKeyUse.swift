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
