/// A change of the token for one purpose.
public struct TokenReplacement: Codable, Sendable, Equatable {
    /// The purpose; absent for the token of the device.
    public var purpose: TokenPurpose?

    /// The token that ended; absent if there was none.
    public var previous: DeviceToken?

    /// The token; absent if there is none now, or the gateway has not assigned one yet.
    public var token: DeviceToken?

    /// Creates the value from its parts.
    public init(purpose: TokenPurpose? = nil, previous: DeviceToken? = nil, token: DeviceToken? = nil) {
        self.purpose = purpose
        self.previous = previous
        self.token = token
    }
}
