package import WaypostSchema

/// A device in the store.
package struct DeviceRecord: Sendable {
    /// The number of the device in its namespace.
    package var number: Int

    /// The number of its agent.
    package var agent: Int

    /// The human-readable name of the device.
    package var name: String

    /// The topics that the device accepts.
    package var topics: Set<Topic>

    /// The standing of the token, which decides the answer to senders.
    package var standing: TokenStanding

    /// The time from which the standing holds.
    package var standingChangedAt: Timestamp

    /// Whether low power mode is on.
    package var isLowPowerModeEnabled: Bool

    /// The environments of its tokens.
    package var environments: DeviceEnvironments

    /// The purpose of the token; `nil` if it is for all notifications of all its topics.
    package var purpose: TokenPurpose?

    /// Creates the value from its parts.
    package init(
        number: Int,
        agent: Int,
        name: String,
        topics: Set<Topic>,
        standing: TokenStanding,
        standingChangedAt: Timestamp,
        isLowPowerModeEnabled: Bool,
        environments: DeviceEnvironments = DeviceEnvironments(),
        purpose: TokenPurpose? = nil
    ) {
        self.number = number
        self.agent = agent
        self.name = name
        self.topics = topics
        self.standing = standing
        self.standingChangedAt = standingChangedAt
        self.isLowPowerModeEnabled = isLowPowerModeEnabled
        self.environments = environments
        self.purpose = purpose
    }

    /// Returns the device as the API shows it.
    package func registeredDevice(with token: DeviceToken) -> RegisteredDevice {
        RegisteredDevice(
            token: token,
            name: name,
            topics: topics.sorted { $0.rawValue < $1.rawValue },
            standing: standing,
            since: standingChangedAt,
            powerConstrained: isLowPowerModeEnabled,
            environment: environments.device,
            appEnvironments: environments.apps.isEmpty ? nil : environments.apps,
            purpose: purpose
        )
    }

    /// Returns the device as the decision about a notification needs it.
    package func recipient(isConnected: Bool) -> Recipient {
        Recipient(
            device: number,
            agent: agent,
            topics: topics,
            standing: standing,
            standingChangedAt: standingChangedAt,
            isLowPowerModeEnabled: isLowPowerModeEnabled,
            isConnected: isConnected,
            environments: environments,
            purpose: purpose
        )
    }
}

extension TokenStanding {
    /// Returns whether senders learn only after `now` that a token is unregistered, so that what was accepted for it
    /// still reaches its device.
    ///
    /// - Parameters:
    ///   - now: the current time.
    ///   - since: the time from which the standing holds.
    /// - Returns: whether that is later.
    package func isUnregistered(after now: Timestamp, since: Timestamp) -> Bool {
        self == .unregistered && since > now
    }
}
