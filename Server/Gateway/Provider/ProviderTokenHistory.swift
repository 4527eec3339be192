internal import WaypostSchema

/// The provider tokens of a key that were used on one connection, or on all, as a value.
struct ProviderTokenHistory: Sendable {
    /// The kinds of uses of a token.
    enum Use: Sendable {
        /// The token was used before.
        case known

        /// The token is used for the first time.
        case new

        /// The token is used for the first time, instead of one that has expired.
        case renewed

        /// The token is used for the first time, and too soon after another.
        case tooSoon
    }

    /// The minimum time in milliseconds between two tokens ("Establishing a token-based connection to APNs").
    static let minimumTokenInterval = 20 * 60 * 1_000

    /// The maximum time in milliseconds by which requests on several connections are recorded in another order than that
    /// in which they arrived.
    private static let maximumDisorder = 10 * 1_000

    /// The maximum number of tokens that are remembered.
    private static let maximumTokens = 8

    private var tokens: [Substring] = []

    /// The time at which the newest token was first used.
    private(set) var lastTokenChange: Timestamp

    /// The time of the last use.
    private(set) var lastUse: Timestamp

    /// Whether the next new token is not too soon.
    private var isRenewalAllowed = false

    /// Creates the history before the first use, which is now.
    init(at now: Timestamp) {
        lastTokenChange = now
        lastUse = now
    }

    /// Lets the next new token replace another one at once.
    mutating func allowRenewal() {
        isRenewalAllowed = true
    }

    /// Records a use of a token that is known to be used with the key, on some connection.
    mutating func recordKnownUse(at now: Timestamp) {
        lastUse = now
    }

    /// Records a use of a token.
    ///
    /// - Parameters:
    ///   - token: the token.
    ///   - now: the current time.
    ///   - refusesTooSoon: whether a token that comes too soon is refused, and so does not become the newest.
    /// - Returns: the kind of use.
    mutating func recordUse(of token: Substring, at now: Timestamp, refusesTooSoon: Bool) -> Use {
        lastUse = now
        guard !tokens.contains(token) else { return .known }
        let age = now.rawValue - lastTokenChange.rawValue
        // A clock that was set back further says nothing about the time since the last change.
        let isTooSoon =
            !tokens.isEmpty && !isRenewalAllowed && (-Self.maximumDisorder..<Self.minimumTokenInterval).contains(age)
        if isTooSoon, refusesTooSoon { return .tooSoon }
        defer { isRenewalAllowed = false }
        tokens = tokens.suffix(Self.maximumTokens - 1) + [token]
        lastTokenChange = now
        if isTooSoon { return .tooSoon }
        return isRenewalAllowed ? .renewed : .new
    }
}
