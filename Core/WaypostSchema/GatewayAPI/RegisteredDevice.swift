/// A device as the gateway knows it.
public struct RegisteredDevice: Codable, Sendable, Equatable {
    /// The device's token.
    public var token: DeviceToken

    /// The device's name, for display.
    public var name: String

    /// The topics for which the device receives notifications.
    public var topics: [Topic]

    /// The standing of the token, which determines the answer to providers.
    public var standing: TokenStanding

    /// The time since which the standing holds.
    public var since: Timestamp

    /// Whether the device's power is low, so that notifications of priority 5 and 1 wait.
    public var powerConstrained: Bool

    /// The environment of the token; absent if it accepts requests of both.
    public var environment: PushEnvironment?

    /// The environments of apps that have another one than the device, by bundle identifier.
    public var appEnvironments: [String: PushEnvironment]?

    /// The purpose of the token; absent for one token for all notifications of all apps.
    public var purpose: TokenPurpose?

    /// Creates the value from its parts.
    public init(
        token: DeviceToken,
        name: String,
        topics: [Topic],
        standing: TokenStanding = .active,
        since: Timestamp,
        powerConstrained: Bool = false,
        environment: PushEnvironment? = nil,
        appEnvironments: [String: PushEnvironment]? = nil,
        purpose: TokenPurpose? = nil
    ) {
        self.token = token
        self.name = name
        self.topics = topics
        self.standing = standing
        self.since = since
        self.powerConstrained = powerConstrained
        self.environment = environment
        self.appEnvironments = appEnvironments
        self.purpose = purpose
    }
}
