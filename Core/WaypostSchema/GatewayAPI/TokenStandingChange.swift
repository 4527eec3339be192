/// A request to change the standing of a token.
public struct TokenStandingChange: Codable, Sendable, Equatable {
    /// The new standing.
    public var standing: TokenStanding

    /// The time since which the standing holds, which a 410 answer contains; now if absent.
    public var since: Timestamp?

    /// Creates the value from its parts.
    public init(standing: TokenStanding, since: Timestamp? = nil) {
        self.standing = standing
        self.since = since
    }
}
