package import Delivery
package import WaypostSchema

/// A notification that passed every check and asks to be stored.
package struct NewNotification: Sendable, Equatable {
    /// Its identifier, the sender's or one that the gateway made.
    package var id: NotificationID

    /// The device it goes to.
    package var token: DeviceToken

    /// The app it is for.
    package var topic: Topic

    /// What kind of notification it is.
    package var pushType: PushType

    /// 10, 5 or 1.
    package var priority: Int

    /// When it is no longer worth delivering, in seconds since 1970; 0 is now or never.
    package var expiration: Int?

    /// The collapse identifier.
    package var collapseID: CollapseIdentifier?

    /// The payload, byte for byte as the sender wrote it.
    package var payload: [UInt8]

    /// What is unusual about it, for the log alone.
    package var findings: [NotificationFinding]

    /// Creates the value from its parts.
    package init(
        id: NotificationID,
        token: DeviceToken,
        topic: Topic,
        pushType: PushType = .alert,
        priority: Int = 10,
        expiration: Int? = nil,
        collapseID: CollapseIdentifier? = nil,
        payload: [UInt8],
        findings: [NotificationFinding] = []
    ) {
        self.id = id
        self.token = token
        self.topic = topic
        self.pushType = pushType
        self.priority = priority
        self.expiration = expiration
        self.collapseID = collapseID
        self.payload = payload
        self.findings = findings
    }

    /// Whether it is delivered to a device that is connected, or not at all.
    package var isTransient: Bool {
        expiration == 0
    }

    /// What its storage depends on.
    package var traits: NotificationTraits {
        NotificationTraits(priority: priority, expiration: expiration, collapseID: collapseID)
    }
}

/// A notification in an inbox.
package struct StoredNotification: Sendable, Equatable {
    /// Its place among everything the gateway accepted; it is never used again.
    package var sequence: Int

    /// The batch it came in.
    package var batch: BatchNumber

    /// The notification.
    package var notification: NewNotification

    /// Whether the log knows that it was sent before.
    package var wasSent = false
}

/// Why the store does not take a notification.
package enum StoreRefusal: Error, Sendable, Hashable {
    /// No device has the token.
    case unknownToken

    /// The device is not registered for the topic.
    case wrongTopic

    /// The device was unregistered.
    case unregistered(since: Timestamp)

    /// The token has expired.
    case expired(since: Timestamp)

    /// The token is one of the other environment.
    case wrongEnvironment
}
