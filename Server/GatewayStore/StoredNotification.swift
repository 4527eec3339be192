package import PushRules
package import WaypostSchema

/// A notification that passed every check and is to be stored.
package struct NewNotification: Sendable, Equatable {
    /// The identifier, from the sender or from the gateway.
    package var id: NotificationID

    /// The token of the device.
    package var token: DeviceToken

    /// The app of the notification.
    package var topic: Topic

    /// The push type.
    package var pushType: PushType

    /// The priority: 10, 5 or 1.
    package var priority: Int

    /// The time after which it is not delivered, in seconds since 1970; 0 for a transient notification.
    package var expiration: Int?

    /// The collapse identifier.
    package var collapseID: CollapseIdentifier?

    /// The payload, byte for byte as the sender wrote it.
    package var payload: [UInt8]

    /// The unusual properties of the notification, only for the log.
    package var findings: [NotificationFinding]

    /// The place in the sender's trace.
    package var traceparent: TraceParent?

    /// Whether the sender named no topic, and its certificate has only this one; not stored.
    package var isTopicFromCertificate: Bool

    /// Whether the sender named no push type, so that it counts as an alert; not stored.
    package var isPushTypeAssumed: Bool

    /// The environment to which it was sent; `nil` if that has none.
    ///
    /// It is not stored.
    package var environment: PushEnvironment?

    /// Whether the gateway refuses what is only probably wrong; not stored.
    package var isStrict: Bool

    /// Whether it is a message to a broadcast channel; not stored.
    package var isBroadcast: Bool

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
        findings: [NotificationFinding] = [],
        traceparent: TraceParent? = nil,
        isTopicFromCertificate: Bool = false,
        isPushTypeAssumed: Bool = false,
        environment: PushEnvironment? = nil,
        isStrict: Bool = false,
        isBroadcast: Bool = false
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
        self.traceparent = traceparent
        self.isTopicFromCertificate = isTopicFromCertificate
        self.isPushTypeAssumed = isPushTypeAssumed
        self.environment = environment
        self.isStrict = isStrict
        self.isBroadcast = isBroadcast
    }

    /// Whether the notification is transient: it is delivered now or dropped.
    package var isTransient: Bool {
        expiration == 0
    }

    /// Returns whether the notification must no longer be delivered at a time.
    ///
    /// A transient notification does not expire: it ends with its stream.
    package func isExpired(at now: Timestamp) -> Bool {
        guard let expiration, !isTransient else { return false }
        return expiration <= now.seconds
    }

    /// The findings that follow from the notification without its payload, and so are not stored.
    ///
    /// - Parameter now: the time at which it arrived; `nil` to leave out what depends on it.
    /// - Returns: the findings.
    package func headerFindings(at now: Timestamp?) -> [NotificationFinding] {
        HeaderCheck(
            pushType: pushType,
            topic: topic,
            priority: priority,
            expiration: expiration,
            id: id,
            isPushTypeAssumed: isPushTypeAssumed
        ).findings(at: now)
    }

    /// Lets the notification be delivered now or dropped, if the sender gave no expiration.
    ///
    /// Messages and activities of devices have none, and are kept.
    package mutating func dropWithoutExpiration() {
        guard expiration == nil, !topic.isOfWaypost else { return }
        expiration = 0
        findings.append(
            NotificationFinding(
                code: .missingExpiration,
                severity: .note,
                message: "without an expiration it is delivered now or dropped, as --missing-expiration drop says"
            )
        )
    }

    /// The properties that decide how it is stored.
    package var traits: NotificationTraits {
        NotificationTraits(priority: priority, expiration: expiration, collapseID: collapseID)
    }
}

/// A notification in an inbox.
package struct StoredNotification: Sendable, Equatable {
    /// The place among all notifications that the gateway accepted; never used again.
    package var sequence: Int

    /// The batch of the notification.
    package var batch: BatchNumber

    /// The notification.
    package var notification: NewNotification

    /// Whether the log knows of an earlier send.
    package var wasSent: Bool

    /// Creates the value from its parts.
    package init(sequence: Int, batch: BatchNumber, notification: NewNotification, wasSent: Bool = false) {
        self.sequence = sequence
        self.batch = batch
        self.notification = notification
        self.wasSent = wasSent
    }
}

/// The reason why the store refuses a notification.
package enum StoreRefusal: Error, Sendable, Hashable {
    /// No device has the token.
    case unknownToken

    /// The device is registered for other topics.
    case wrongTopic(registered: Set<Topic>)

    /// The token is for another purpose, whose topic is the only one of the token.
    case wrongPurpose(TokenPurpose)

    /// The topic belongs to another push type.
    case wrongPushType(topicOf: PushType)

    /// The device was unregistered.
    case unregistered(since: Timestamp)

    /// The token has expired.
    case expired(since: Timestamp)

    /// The token belongs to the other environment, which is `of` if the device is registered for one.
    case wrongEnvironment(of: PushEnvironment?)
}
