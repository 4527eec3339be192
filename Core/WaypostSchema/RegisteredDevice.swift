/// The standing of a device token: what APNs would answer to a provider that sends to it.
public enum TokenStanding: String, Codable, Sendable, CaseIterable {
    /// The token is valid.
    case active

    /// The device was unregistered: 410 `Unregistered`.
    case unregistered

    /// The token has expired: 410 `ExpiredToken`.
    case expired

    /// The token belongs to the other environment: 400 `BadDeviceToken`.
    case wrongEnvironment
}

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

/// A registered device in a list, with what a gateway has for it.
public struct ListedDevice: Codable, Sendable, Equatable {
    /// The device.
    public var device: RegisteredDevice

    /// Whether it is connected, to whichever gateway.
    public var connected: Bool

    /// The number of notifications in its inbox.
    public var stored: Int

    /// Creates the value from its parts.
    public init(device: RegisteredDevice, connected: Bool, stored: Int) {
        self.device = device
        self.connected = connected
        self.stored = stored
    }
}

/// A part of the list of the devices of a namespace.
public struct DevicePage: Codable, Sendable, Equatable {
    /// The devices, in the order of their tokens.
    public var devices: [ListedDevice]

    /// The token after which the next page begins; absent if this is the last one.
    public var next: DeviceToken?

    /// Creates the value from its parts.
    public init(devices: [ListedDevice], next: DeviceToken? = nil) {
        self.devices = devices
        self.next = next
    }
}

/// A request to change the topics for which a device receives notifications.
public struct DeviceTopics: Codable, Sendable, Equatable {
    /// The new topics.
    public var topics: [Topic]

    /// Creates the value from its parts.
    public init(topics: [Topic]) {
        self.topics = topics
    }
}

/// A device's report about its power.
public struct DevicePower: Codable, Sendable, Equatable {
    /// Whether notifications of priority 5 and 1 must wait, because power is low.
    public var constrained: Bool

    /// Creates the value from its parts.
    public init(constrained: Bool) {
        self.constrained = constrained
    }
}

/// A request to change the standing of a token.
public struct TokenStandingChange: Codable, Sendable, Equatable {
    /// The new standing.
    public var standing: TokenStanding

    /// The time since which the standing holds, which a 410 answer contains; now if absent.
    public var since: Timestamp?

    /// Creates the value from its parts.
    public init(standing: TokenStanding, since: Timestamp? = nil) {
        self.standing = standing
        self.since = since
    }
}

/// A request to give a device a new token.
public struct TokenRotation: Codable, Sendable, Equatable {
    /// The requested token; the gateway creates one if absent.
    public var token: DeviceToken?

    /// Creates the value from its parts.
    public init(token: DeviceToken? = nil) {
        self.token = token
    }
}
