package import Delivery
package import WaypostSchema

/// What the store remembers of one notification, also after it has left its inbox, for as long as the log is kept.
package struct LogEntry: Sendable, Equatable {
    /// Its place in the log; of what was accepted also its sequence.
    package var sequence: Int

    /// The batch it came in.
    package var batch: BatchID

    /// The notification without its payload; what was rejected may lack any part of it.
    package var subject: LogSubject

    /// Where it is, as far as the store knows: what was sent counts as stored, or accepted where it is now or never.
    package var state: DeliveryState

    /// Why it was rejected.
    package var rejection: Rejection?

    /// When it came.
    package var created: Timestamp

    /// When and how often it was written to a stream, as far as the store was told.
    package var attempts: DeliveryAttempts?

    /// When it came into its final state.
    package var ended: Timestamp?
}

/// A notification as the log knows it.
package struct LogSubject: Sendable, Equatable {
    /// Its identifier.
    package var id: NotificationID?

    /// The token of its device: the one that it has now where the device was rotated.
    package var token: DeviceToken?

    /// The app it is for.
    package var topic: Topic?

    /// What kind of notification it is.
    package var pushType: PushType?

    /// 10, 5 or 1.
    package var priority: Int?

    /// When it is no longer worth delivering, in seconds since 1970; 0 is now or never.
    package var expiration: Int?

    /// The collapse identifier.
    package var collapseID: CollapseIdentifier?

    /// What is unusual about it.
    package var findings: [NotificationFinding]

    /// Creates the value from its parts.
    package init(
        id: NotificationID? = nil,
        token: DeviceToken? = nil,
        topic: Topic? = nil,
        pushType: PushType? = nil,
        priority: Int? = nil,
        expiration: Int? = nil,
        collapseID: CollapseIdentifier? = nil,
        findings: [NotificationFinding] = []
    ) {
        self.findings = findings
        self.id = id
        self.token = token
        self.topic = topic
        self.pushType = pushType
        self.priority = priority
        self.expiration = expiration
        self.collapseID = collapseID
    }

    /// What the log knows of `notification`.
    package init(_ notification: NewNotification) {
        self.init(
            id: notification.id,
            token: notification.token,
            topic: notification.topic,
            pushType: notification.pushType,
            priority: notification.priority,
            expiration: notification.expiration,
            collapseID: notification.collapseID,
            findings: notification.findings
        )
    }
}

/// Which part of the log is asked for.
package struct LogQuery: Sendable, Equatable {
    /// Where a page begins.
    package enum Start: Sendable, Equatable {
        /// With the first that is above this sequence.
        case after(Int)

        /// So that it ends with the newest.
        case latest
    }

    /// Only what was sent to this token, or is for the device that has it now.
    package var token: DeviceToken?

    /// Only what is for this app.
    package var topic: Topic?

    /// Only what is in one of these states, as the store knows them; `nil` is any.
    package var states: Set<DeliveryState>?

    /// Only what came at this moment or later.
    package var since: Timestamp?

    /// Where the page begins.
    package var start: Start

    /// How many there are on the page at most.
    package var limit: Int

    /// Creates the value from its parts.
    package init(
        token: DeviceToken? = nil,
        topic: Topic? = nil,
        states: Set<DeliveryState>? = nil,
        since: Timestamp? = nil,
        start: Start = .latest,
        limit: Int = 100
    ) {
        self.token = token
        self.topic = topic
        self.states = states
        self.since = since
        self.start = start
        self.limit = limit
    }
}

/// How long the log keeps what has ended.
package enum LogRetention {
    /// The seconds that suit most: 24 hours.
    package static let standard = 24 * 60 * 60
}
