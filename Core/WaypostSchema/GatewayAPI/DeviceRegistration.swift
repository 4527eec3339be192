/// A request to register a device with the gateway.
public struct DeviceRegistration: Codable, Sendable, Equatable {
    /// The device's name, for display.
    public var name: String

    /// The topics for which the device receives notifications.
    public var topics: [Topic]

    /// The secret of the agent that the device joins; absent to give the device an agent of its own.
    public var secret: BearerSecret?

    /// The requested token; the gateway creates one if absent.
    public var token: DeviceToken?

    /// The environment of the token; absent to accept requests of both.
    public var environment: PushEnvironment?

    /// The environments of apps that have another one than the device, by bundle identifier.
    public var appEnvironments: [String: PushEnvironment]?

    /// The purpose of the token; absent for one token for all notifications of all apps.
    public var purpose: TokenPurpose?

    /// Creates the value from its parts.
    public init(
        name: String,
        topics: [Topic],
        secret: BearerSecret? = nil,
        token: DeviceToken? = nil,
        environment: PushEnvironment? = nil,
        appEnvironments: [String: PushEnvironment]? = nil,
        purpose: TokenPurpose? = nil
    ) {
        self.name = name
        self.topics = topics
        self.secret = secret
        self.token = token
        self.environment = environment
        self.appEnvironments = appEnvironments
        self.purpose = purpose
    }
}
