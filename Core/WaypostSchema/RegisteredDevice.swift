/// What APNs would say of a device token.
public enum TokenStanding: String, Codable, Sendable, CaseIterable {
    /// It is valid.
    case active

    /// Its device was unregistered: 410 `Unregistered`.
    case unregistered

    /// It has expired: 410 `ExpiredToken`.
    case expired

    /// It is a token of the other environment: 400 `BadDeviceToken`.
    case wrongEnvironment
}

/// A device as the gateway knows it.
public struct RegisteredDevice: Codable, Sendable, Equatable {
    /// Its token.
    public var token: DeviceToken

    /// Its name, for people.
    public var name: String

    /// The topics it takes notifications for.
    public var topics: [Topic]

    /// What is answered to who sends to the token.
    public var standing: TokenStanding

    /// Since when the standing is what it is.
    public var since: Timestamp

    /// Whether notifications of priority 5 and 1 wait until the device has power again.
    public var powerConstrained: Bool

    /// Creates the value from its parts.
    public init(
        token: DeviceToken,
        name: String,
        topics: [Topic],
        standing: TokenStanding = .active,
        since: Timestamp,
        powerConstrained: Bool = false
    ) {
        self.token = token
        self.name = name
        self.topics = topics
        self.standing = standing
        self.since = since
        self.powerConstrained = powerConstrained
    }
}

/// A request to change the topics that a device takes notifications for.
public struct DeviceTopics: Codable, Sendable, Equatable {
    /// The topics from now on.
    public var topics: [Topic]

    /// Creates the value from its parts.
    public init(topics: [Topic]) {
        self.topics = topics
    }
}

/// A device's word about its power.
public struct DevicePower: Codable, Sendable, Equatable {
    /// Whether power is short, so that notifications of priority 5 and 1 are to wait.
    public var constrained: Bool

    /// Creates the value from its parts.
    public init(constrained: Bool) {
        self.constrained = constrained
    }
}

/// A request to change what is answered to who sends to a token.
public struct TokenStandingChange: Codable, Sendable, Equatable {
    /// The standing from now on.
    public var standing: TokenStanding

    /// Since when it holds, as an answer of 410 tells it; now where absent.
    public var since: Timestamp?

    /// Creates the value from its parts.
    public init(standing: TokenStanding, since: Timestamp? = nil) {
        self.standing = standing
        self.since = since
    }
}

/// A request to give a device another token.
public struct TokenRotation: Codable, Sendable, Equatable {
    /// The token that it is to have; absent for one that the gateway makes.
    public var token: DeviceToken?

    /// Creates the value from its parts.
    public init(token: DeviceToken? = nil) {
        self.token = token
    }
}
