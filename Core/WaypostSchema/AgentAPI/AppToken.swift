/// A token of an app, for one purpose.
public struct AppToken: Codable, Sendable, Equatable {
    /// The purpose.
    public var purpose: TokenPurpose

    /// The token; absent until the gateway has assigned one.
    public var token: DeviceToken?

    /// Creates the value from its parts.
    public init(_ token: DeviceToken? = nil, for purpose: TokenPurpose) {
        self.purpose = purpose
        self.token = token
    }
}
