package import PushRules
package import WaypostSchema

/// The data of one notification in the log, kept after it leaves its inbox until the log's retention ends.
package struct LogEntry: Sendable, Equatable {
    /// The place in the log; for an accepted notification also its sequence.
    package var sequence: Int

    /// The batch of the notification.
    package var batch: BatchID

    /// The notification without its payload; any part of a rejected notification may be missing.
    package var subject: LogSubject

    /// The state, as far as the store knows: sent notifications count as stored, and transient ones as accepted.
    package var state: DeliveryState

    /// The reason for the rejection, if it was rejected.
    package var rejection: Rejection?

    /// The time at which the notification arrived.
    package var createdAt: Timestamp

    /// The times and the number of writes to a stream, as far as the store was notified.
    package var attempts: DeliveryAttempts?

    /// The time at which the notification reached its final state.
    package var endedAt: Timestamp?

    /// Creates the value from its parts.
    package init(
        sequence: Int,
        batch: BatchID,
        subject: LogSubject,
        state: DeliveryState,
        rejection: Rejection? = nil,
        createdAt: Timestamp,
        attempts: DeliveryAttempts? = nil,
        endedAt: Timestamp? = nil
    ) {
        self.sequence = sequence
        self.batch = batch
        self.subject = subject
        self.state = state
        self.rejection = rejection
        self.createdAt = createdAt
        self.attempts = attempts
        self.endedAt = endedAt
    }
}

/// The parts of a notification that the log records.
package struct LogSubject: Sendable, Equatable {
    /// The identifier.
    package var id: NotificationID?

    /// The token of the device; after a rotation, the current one.
    package var token: DeviceToken?

    /// The app of the notification.
    package var topic: Topic?

    /// The push type.
    package var pushType: PushType?

    /// The priority: 10, 5 or 1.
    package var priority: Int?

    /// The time after which it is not delivered, in seconds since 1970; 0 for a transient notification.
    package var expiration: Int?

    /// The collapse identifier.
    package var collapseID: CollapseIdentifier?

    /// The unusual properties of the notification.
    package var findings: [NotificationFinding]

    /// The place in the sender's trace.
    package var traceparent: TraceParent?

    /// Creates the value from its parts.
    package init(
        id: NotificationID? = nil,
        token: DeviceToken? = nil,
        topic: Topic? = nil,
        pushType: PushType? = nil,
        priority: Int? = nil,
        expiration: Int? = nil,
        collapseID: CollapseIdentifier? = nil,
        findings: [NotificationFinding] = [],
        traceparent: TraceParent? = nil
    ) {
        self.findings = findings
        self.traceparent = traceparent
        self.id = id
        self.token = token
        self.topic = topic
        self.pushType = pushType
        self.priority = priority
        self.expiration = expiration
        self.collapseID = collapseID
    }

    /// Creates the subject of `notification`.
    package init(_ notification: NewNotification) {
        self.init(
            id: notification.id,
            token: notification.token,
            topic: notification.topic,
            pushType: notification.pushType,
            priority: notification.priority,
            expiration: notification.expiration,
            collapseID: notification.collapseID,
            findings: notification.findings,
            traceparent: notification.traceparent
        )
    }
}

/// A query for a part of the log.
package struct LogQuery: Sendable, Equatable {
    /// The start of a page.
    package enum Start: Sendable, Equatable {
        /// The page begins with the first entry above this sequence.
        case after(Int)

        /// The page ends with the newest entry.
        case latest
    }

    /// Only notifications that were sent to this token, or are for the device that has it now.
    package var token: DeviceToken?

    /// Only notifications of this trace.
    package var trace: TraceID?

    /// Only notifications for this app.
    package var topic: Topic?

    /// Only notifications in one of these states, as the store knows them; `nil` for any state.
    package var states: Set<DeliveryState>?

    /// Only notifications that arrived at this time or later.
    package var since: Timestamp?

    /// The start of the page.
    package var start: Start

    /// The maximum number of entries on the page.
    package var limit: Int

    /// Creates the value from its parts.
    package init(
        token: DeviceToken? = nil,
        trace: TraceID? = nil,
        topic: Topic? = nil,
        states: Set<DeliveryState>? = nil,
        since: Timestamp? = nil,
        start: Start = .latest,
        limit: Int = 100
    ) {
        self.token = token
        self.trace = trace
        self.topic = topic
        self.states = states
        self.since = since
        self.start = start
        self.limit = limit
    }
}
