/// A request to give a device a new token.
public struct TokenRotation: Codable, Sendable, Equatable {
    /// The requested token; the gateway creates one if absent.
    public var token: DeviceToken?

    /// Creates the value from its parts.
    public init(token: DeviceToken? = nil) {
        self.token = token
    }
}
