internal import TextBasics
package import WaypostSchema

/// An agent, which receives the notifications of its devices and authenticates with a secret.
package struct AgentID: Hashable, Sendable {
    /// The namespace of the agent.
    package var namespace: Namespace

    /// The number of the agent in the store, never used again.
    package var number: Int

    /// Creates the value from its parts.
    package init(namespace: Namespace, number: Int) {
        self.namespace = namespace
        self.number = number
    }

    /// Adds the number to a hash: it differs in all namespaces, and a text takes longer.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(number)
    }
}

/// The SHA-256 digest of an agent's secret; the secret itself is not stored.
///
/// A secret has 256 random bits, so it needs neither salt nor a slow hash.
package struct SecretDigest: Hashable, Sendable {
    /// The 32 bytes.
    package var bytes: [UInt8]

    /// Creates the digest with `bytes`.
    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Returns whether two digests are equal, in a time that does not depend on where they differ.
    package static func == (left: Self, right: Self) -> Bool {
        ConstantTime.isEqual(left.bytes, right.bytes)
    }
}

/// A device to register.
package struct NewDevice: Sendable, Equatable {
    /// The token of the device.
    package var token: DeviceToken

    /// The human-readable name of the device.
    package var name: String

    /// The topics that the device accepts.
    package var topics: Set<Topic>

    /// The digest of its agent's secret.
    package var digest: SecretDigest

    /// Whether the device joins an existing agent instead of creating one.
    package var joins: Bool

    /// The environments of its tokens.
    package var environments: DeviceEnvironments

    /// The purpose of the token; `nil` if it is for all notifications of all its topics.
    package var purpose: TokenPurpose?

    /// Creates the value from its parts.
    package init(
        token: DeviceToken,
        name: String,
        topics: Set<Topic>,
        digest: SecretDigest,
        joins: Bool,
        environments: DeviceEnvironments = DeviceEnvironments(),
        purpose: TokenPurpose? = nil
    ) {
        self.token = token
        self.name = name
        self.topics = topics
        self.digest = digest
        self.joins = joins
        self.environments = environments
        self.purpose = purpose
    }
}

/// The namespace and the topics of a token.
package struct TokenRegistration: Sendable, Equatable {
    /// The namespace of the device.
    package var namespace: Namespace

    /// The topics of the device if it is active; empty if they were not asked for.
    package var activeTopics: Set<Topic>

    /// Creates the value from its parts.
    package init(namespace: Namespace, activeTopics: Set<Topic>) {
        self.namespace = namespace
        self.activeTopics = activeTopics
    }
}

/// The outcome of a registration.
package enum RegistrationOutcome: Sendable, Equatable {
    /// The device is registered.
    ///
    /// If a device of the same agent had the token, it has the new name and topics, and the token keeps its standing.
    /// If an inactive device of another agent had it, that device is active and belongs to the new agent.
    case registered(AgentID, StoreChanges)

    /// The device wants to join an agent that does not exist in the namespace.
    case unknownSecret

    /// A device of another agent has the token, and it is active, or the new one is to join an agent.
    case tokenTaken
}

/// The outcome of the rotation of an agent's secret.
package enum SecretRotationOutcome: Sendable, Equatable {
    /// The agent has the new secret, and the earlier one is not valid any more.
    case rotated

    /// No agent of the namespace has either secret.
    case unknownSecret

    /// Another agent of the namespace has the new secret.
    case secretTaken
}

/// A change to a device.
package enum DeviceChange: Sendable, Equatable {
    /// The device accepts only these topics from now on; stored notifications for other topics end as unregistered.
    case topics(Set<Topic>)

    /// Whether low power mode is on.
    case power(isLowPowerModeEnabled: Bool)

    /// The standing of the token, which decides the answer to senders, and the time from which it holds.
    ///
    /// If it is not active, the notifications in the device's inbox end as unregistered. If the token is unregistered
    /// from a later time on, they stay, and new ones are dropped until then.
    case standing(TokenStanding, since: Timestamp)

    /// The notifications in the device's inbox, or those for one topic, are removed and end as dropped.
    case inboxPurge(of: Topic?)

    /// The device gets a new token and keeps its inbox; the old token is unregistered.
    case rotation(to: DeviceToken)

    /// Returns the topics that the token accepts after the change, if the change decides about that.
    ///
    /// Transient notifications in flight for other topics end as unregistered.
    ///
    /// - Parameter now: the current time.
    /// - Returns: the topics.
    package func acceptedTopics(at now: Timestamp) -> Set<Topic>? {
        switch self {
        case .topics(let topics): topics
        case .standing(let standing, let since) where standing.isUnregistered(after: now, since: since): nil
        case .standing(.active, _), .power, .inboxPurge: nil
        case .standing, .rotation: []
        }
    }
}

/// The outcome of a change to a device.
package enum DeviceChangeOutcome: Sendable, Equatable {
    /// The device after the change, its agent, and the changes to the store.
    case changed(RegisteredDevice, AgentID, StoreChanges)

    /// Another device already has the new token.
    case tokenTaken
}
