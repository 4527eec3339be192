package import PushRules
package import WaypostSchema

/// A batch to store.
package struct NewBatch: Sendable {
    /// The identifier of the batch, never used before.
    package var id: BatchID

    /// The namespace that the batch was sent to.
    package var namespace: Namespace

    /// The items that passed every check that needs no store, in input order.
    package var notifications: [NewNotification]

    /// The items that were rejected before the store.
    package var rejections: [RejectedItem]

    /// Whether the store must accept all items or none.
    package var isAtomic: Bool

    /// The sender's idempotency key, which identifies the batch when it is sent again.
    package var key: IdempotencyKey?

    /// Encodes the answer to store for later questions about the batch; `nil` to store none.
    ///
    /// The argument has the store's refusals, one element for each notification. The store calls it before anything is
    /// durable, and again if it retries the transaction.
    package var encodeAnswer: (@Sendable ([StoreRefusal?]) -> [UInt8])?

    /// Creates the value from its parts.
    package init(
        id: BatchID,
        namespace: Namespace = .standard,
        notifications: [NewNotification],
        rejections: [RejectedItem] = [],
        isAtomic: Bool = false,
        key: IdempotencyKey? = nil,
        encodeAnswer: (@Sendable ([StoreRefusal?]) -> [UInt8])? = nil
    ) {
        self.id = id
        self.namespace = namespace
        self.notifications = notifications
        self.rejections = rejections
        self.isAtomic = isAtomic
        self.key = key
        self.encodeAnswer = encodeAnswer
    }
}

/// A sender's idempotency key for a batch, and a fingerprint of the request.
package struct IdempotencyKey: Sendable, Equatable {
    /// The lifetime of a key in seconds: 24 hours.
    package static let lifetime = 24 * 60 * 60

    /// The key.
    package var key: String

    /// A digest of the body and of the parameters that matter, which distinguishes different requests with the same
    /// key.
    package var fingerprint: [UInt8]

    /// Creates the value from its parts.
    package init(key: String, fingerprint: [UInt8]) {
        self.key = key
        self.fingerprint = fingerprint
    }
}

/// The outcome of storing a batch.
package enum AppendOutcome: Sendable, Equatable {
    /// The batch was stored.
    case appended(AppendedBatch)

    /// The batch was refused for these reasons, one element for each notification; nothing was stored
    /// (`BatchPlan.isBatchRefused`).
    case refused([StoreRefusal?])

    /// An earlier batch has the same key; nothing was stored.
    case duplicate(KeyedBatch)
}

/// A batch that was stored.
package struct AppendedBatch: Sendable, Equatable {
    /// The number of the batch.
    package var number: BatchNumber

    /// For each notification in order, the reason for its refusal, or `nil`.
    package var refusals: [StoreRefusal?]

    /// The notifications that are delivered as payloads, in order of sequence.
    ///
    /// They are stored notifications for reachable devices, and all transient notifications, which are not
    /// stored. The stream learns of any other stored notification by a nudge, in `changes` or as an event.
    package var deliveries: [StreamDelivery]

    /// The sequences of the batch in the log, which are contiguous; `nil` if the log has none.
    package var logSequences: ClosedRange<Int>?

    /// The number of accepted items for each state that they were put into at once: stored, accepted, dropped or
    /// expired.
    package var countsByState: [DeliveryState: Int]

    /// The changes to the store.
    package var changes: StoreChanges

    /// Creates the value from its parts.
    package init(
        number: BatchNumber,
        refusals: [StoreRefusal?],
        deliveries: [StreamDelivery] = [],
        logSequences: ClosedRange<Int>? = nil,
        countsByState: [DeliveryState: Int] = [:],
        changes: StoreChanges = StoreChanges()
    ) {
        self.number = number
        self.refusals = refusals
        self.deliveries = deliveries
        self.logSequences = logSequences
        self.countsByState = countsByState
        self.changes = changes
    }
}

/// A notification to send to an open stream.
package struct StreamDelivery: Sendable, Equatable {
    /// The agent with the stream.
    package var agent: AgentID

    /// The notification.
    package var notification: StoredNotification

    /// Creates the value from its parts.
    package init(agent: AgentID, notification: StoredNotification) {
        self.agent = agent
        self.notification = notification
    }
}

/// The end of a transient notification (expiration 0: deliver now or drop).
package struct TransientEnd: Sendable, Equatable {
    /// The namespace that the notification was sent to.
    package var namespace: Namespace

    /// The sequence of the notification.
    package var sequence: Int

    /// The batch of the notification.
    package var batch: BatchNumber

    /// The final state: acknowledged, dropped or unregistered.
    package var state: DeliveryState

    /// The time at which it reached the final state.
    package var time: Timestamp

    /// The times and the number of writes to a stream.
    package var attempts: DeliveryAttempts?

    /// Creates the value from its parts.
    package init(
        namespace: Namespace = .standard,
        sequence: Int,
        batch: BatchNumber,
        state: DeliveryState,
        at time: Timestamp,
        attempts: DeliveryAttempts? = nil
    ) {
        self.namespace = namespace
        self.sequence = sequence
        self.batch = batch
        self.state = state
        self.time = time
        self.attempts = attempts
    }
}

/// The data of a batch in the store.
package struct BatchRecord: Sendable, Equatable {
    /// The number of the batch.
    package var number: BatchNumber

    /// The identifier of the batch.
    package var id: BatchID

    /// The number of rejected items.
    package var rejectedCount: Int

    /// The number of accepted items in each state, as far as the store knows: sent items count as stored.
    package var counts: DeliveryCounts

    /// The answer that was stored for later questions about the batch (`NewBatch.encodeAnswer`).
    package var storedAnswer: [UInt8]?

    /// Creates the value from its parts.
    package init(
        number: BatchNumber,
        id: BatchID,
        rejectedCount: Int,
        counts: DeliveryCounts,
        storedAnswer: [UInt8]? = nil
    ) {
        self.number = number
        self.id = id
        self.rejectedCount = rejectedCount
        self.counts = counts
        self.storedAnswer = storedAnswer
    }

    /// The number of accepted items.
    package var acceptedCount: Int {
        counts.total
    }
}

/// A batch that was sent with an idempotency key.
package struct KeyedBatch: Sendable, Equatable {
    /// The fingerprint of the request.
    package var fingerprint: [UInt8]

    /// The batch.
    package var batch: BatchRecord

    /// Creates the value from its parts.
    package init(fingerprint: [UInt8], batch: BatchRecord) {
        self.fingerprint = fingerprint
        self.batch = batch
    }
}

extension DeliveryState {
    /// The states that every engine counts for each batch; each has a column with its name.
    package static let counted: [Self] = [
        .accepted, .stored, .acknowledged, .collapsed, .expired, .dropped, .unregistered,
    ]
}
