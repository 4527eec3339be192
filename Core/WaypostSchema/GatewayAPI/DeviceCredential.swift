/// The response to a registration.
public struct DeviceCredential: Codable, Sendable, Equatable {
    /// The device's token, to which providers send.
    public var token: DeviceToken

    /// The agent's secret, which authorizes its stream and its acknowledgements.
    public var secret: BearerSecret

    /// The findings about the request, such as an unknown key; absent if there are none.
    public var findings: [NotificationFinding]?

    /// Creates the value from its parts.
    public init(token: DeviceToken, secret: BearerSecret, findings: [NotificationFinding]? = nil) {
        self.findings = findings
        self.token = token
        self.secret = secret
    }
}
