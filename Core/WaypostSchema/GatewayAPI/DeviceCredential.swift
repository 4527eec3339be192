/// The response to a registration.
public struct DeviceCredential: Codable, Sendable, Equatable {
    /// The device's token, to which providers send.
    public var token: DeviceToken

    /// The agent's secret, which authorizes its stream and its acknowledgements.
    public var secret: BearerSecret

    /// Creates the value from its parts.
    public init(token: DeviceToken, secret: BearerSecret) {
        self.token = token
        self.secret = secret
    }
}
