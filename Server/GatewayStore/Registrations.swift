package import WaypostSchema

/// An agent: who shows its secret receives the notifications of its devices.
package struct AgentID: Hashable, Sendable {
    /// The namespace that it is in.
    package var namespace: Namespace

    /// Its number in the store, never used again.
    package var number: Int

    /// Creates the value from its parts.
    package init(namespace: Namespace, number: Int) {
        self.namespace = namespace
        self.number = number
    }
}

/// The SHA-256 of an agent's secret: secrets themselves are not stored.
///
/// A secret has 256 random bits, so that it needs neither salt nor a slow hash.
package struct SecretDigest: Hashable, Sendable {
    /// The 32 bytes.
    package var bytes: [UInt8]

    /// Creates the digest that has `bytes`.
    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Whether two digests are the same, in a time that does not tell where they differ.
    package static func == (left: Self, right: Self) -> Bool {
        guard left.bytes.count == right.bytes.count else { return false }
        return zip(left.bytes, right.bytes).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

/// A device that asks to be registered.
package struct NewDevice: Sendable, Equatable {
    /// The token that it gets.
    package var token: DeviceToken

    /// Its name, for people.
    package var name: String

    /// The topics it takes notifications for.
    package var topics: Set<Topic>

    /// The secret of its agent.
    package var digest: SecretDigest

    /// Whether it joins an agent that is there, rather than beginning one.
    package var joins: Bool

    /// Creates the value from its parts.
    package init(token: DeviceToken, name: String, topics: Set<Topic>, digest: SecretDigest, joins: Bool) {
        self.token = token
        self.name = name
        self.topics = topics
        self.digest = digest
        self.joins = joins
    }
}

/// What became of a registration.
package enum RegistrationOutcome: Sendable, Equatable {
    /// The device is registered. A device of the same agent that had the token is active again, with the new name and
    /// topics; so is one of another agent that was not active any more, which then belongs to the new agent.
    case registered(AgentID, StoreChanges)

    /// It wants to join an agent that is not in the namespace.
    case unknownSecret

    /// An active device of another agent has the token.
    case tokenTaken
}

/// A change of what is known of a device.
package enum DeviceChange: Sendable, Equatable {
    /// It takes notifications for these topics from now on; what is stored for others leaves as unregistered.
    case topics(Set<Topic>)

    /// Whether its power is short.
    case power(isLowPowerModeEnabled: Bool)

    /// What is answered to who sends to its token, since when; where it is not active, what its inbox holds leaves as
    /// unregistered.
    case standing(TokenStanding, since: Timestamp)

    /// It gets another token, and what its inbox holds goes to it there; the old token is unregistered.
    case rotation(to: DeviceToken)
}

/// What became of a change of a device.
package enum DeviceChangeOutcome: Sendable, Equatable {
    /// What is known of the device now, and what changed.
    case changed(RegisteredDevice, AgentID, StoreChanges)

    /// A device has the token that it should get.
    case tokenTaken
}
