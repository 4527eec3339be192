internal import WaypostSchema

/// The parts of a provider token that can be read without its key; a part that cannot be read is `nil`.
///
/// They show who sent a token that is not valid, too, so nothing is verified.
struct ProviderTokenClaims: Sendable, Equatable {
    /// The maximum number of bytes of an identifier; Apple's have ten.
    private static let maximumIdentifierSize = 64

    /// The latest `iat` that is a time: the end of the year 9999.
    private static let maximumTime = 253_402_300_799

    /// The `iss`.
    var team: TeamID?

    /// The `kid`.
    var key: ProviderKeyID?

    /// The `iat`.
    var issuedAt: Timestamp?

    /// Reads the claims of a token.
    init(of token: Substring) {
        let parts = ProviderToken.UnverifiedParts(token)
        team = Self.identifier(parts.team).map(TeamID.init(rawValue:))
        key = Self.identifier(parts.keyID).map(ProviderKeyID.init(rawValue:))
        issuedAt = parts.issuedAt.flatMap { seconds in
            (0...Self.maximumTime).contains(seconds) ? Timestamp(milliseconds: seconds * 1_000) : nil
        }
    }

    private static func identifier(_ string: String?) -> String? {
        guard let string, (1...maximumIdentifierSize).contains(string.utf8.count) else { return nil }
        return string
    }
}

/// A provider token of a request: its digest, and the claims that can be read.
struct SentProviderToken: Sendable, Equatable {
    /// The digest, which replaces the token in memory.
    var digest: ProviderTokenDigest

    /// The claims.
    var claims: ProviderTokenClaims

    /// Reads a token.
    init(_ token: Substring) {
        digest = ProviderTokenDigest(of: token)
        claims = ProviderTokenClaims(of: token)
    }
}
