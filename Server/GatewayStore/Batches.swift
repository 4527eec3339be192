package import Delivery
package import WaypostSchema

/// A batch that asks to be stored.
package struct NewBatch: Sendable {
    /// Its identifier, not used before.
    package var id: BatchID

    /// The namespace it was sent to.
    package var namespace: Namespace

    /// What passed every check that needs no store, in input order.
    package var notifications: [NewNotification]

    /// The items that did not come this far.
    package var rejections: [RejectedItem]

    /// Whether all of it is taken, or nothing.
    package var isAtomic: Bool

    /// The sender's word for it, by which it knows it again.
    package var key: IdempotencyKey?

    /// Makes what is kept for later answers about the batch, of what the store refused; `nil` where nothing is kept.
    ///
    /// It is called with one element for each notification, before anything is durable; again where the transaction is tried
    /// again.
    package var makeRecord: (@Sendable ([StoreRefusal?]) -> [UInt8])?

    /// Creates the value from its parts.
    package init(
        id: BatchID,
        namespace: Namespace = .standard,
        notifications: [NewNotification],
        rejections: [RejectedItem] = [],
        isAtomic: Bool = false,
        key: IdempotencyKey? = nil,
        makeRecord: (@Sendable ([StoreRefusal?]) -> [UInt8])? = nil
    ) {
        self.id = id
        self.namespace = namespace
        self.notifications = notifications
        self.rejections = rejections
        self.isAtomic = isAtomic
        self.key = key
        self.makeRecord = makeRecord
    }
}

/// A sender's word for a batch, and what it was sent with.
package struct IdempotencyKey: Sendable, Equatable {
    /// The seconds that a key is known: 24 hours.
    package static let lifetime = 24 * 60 * 60

    /// The key.
    package var key: String

    /// What tells one request from another with the same key: a digest of the body and of what else decides.
    package var fingerprint: [UInt8]

    /// Creates the value from its parts.
    package init(key: String, fingerprint: [UInt8]) {
        self.key = key
        self.fingerprint = fingerprint
    }
}

/// What became of a batch.
package enum AppendOutcome: Sendable, Equatable {
    /// It was taken in.
    case appended(Appended)

    /// It was to be taken whole, and these refusals, one for each notification, did not let it; nothing was taken.
    case refusedWhole([StoreRefusal?])

    /// The key is known; nothing was taken.
    case known(KeyedBatch)
}

/// A batch that was taken in.
package struct Appended: Sendable, Equatable {
    /// The batch's number.
    package var number: BatchNumber

    /// For each notification in order why it was refused, or `nil`.
    package var refusals: [StoreRefusal?]

    /// What goes to open streams, in order of sequence: what is stored for a device that can be reached and was not collapsed
    /// by the batch itself, and what is now or never, which is nowhere but here.
    package var deliveries: [StreamDelivery] = []

    /// The sequences that the batch has in the log, which has them without a gap; `nil` where it has none.
    package var logged: ClosedRange<Int>?

    /// How many of what was accepted were put into each state at once: stored, accepted, dropped, expired.
    package var arrivals: [DeliveryState: Int] = [:]

    /// What changed.
    package var changes: StoreChanges
}

/// A notification on its way to an open stream.
package struct StreamDelivery: Sendable, Equatable {
    /// The agent whose stream it goes to.
    package var agent: AgentID

    /// The notification.
    package var notification: StoredNotification
}

/// The end of a notification that was now or never.
package struct TransientEnd: Sendable, Equatable {
    /// The namespace that it was sent to.
    package var namespace: Namespace

    /// Its sequence.
    package var sequence: Int

    /// The batch it came in.
    package var batch: BatchNumber

    /// The final state that it is in: acknowledged, dropped or unregistered.
    package var state: DeliveryState

    /// When that was.
    package var moment: Timestamp

    /// When and how often it was written to a stream.
    package var attempts: DeliveryAttempts?

    /// Creates the value from its parts.
    package init(
        namespace: Namespace = .standard,
        sequence: Int,
        batch: BatchNumber,
        state: DeliveryState,
        at moment: Timestamp,
        attempts: DeliveryAttempts? = nil
    ) {
        self.namespace = namespace
        self.sequence = sequence
        self.batch = batch
        self.state = state
        self.moment = moment
        self.attempts = attempts
    }
}

/// What the store knows of a batch.
package struct BatchRecord: Sendable, Equatable {
    /// Its number.
    package var number: BatchNumber

    /// Its identifier.
    package var id: BatchID

    /// How many items were not accepted.
    package var rejected: Int

    /// How many of its accepted items are in each state, as far as the store knows: what was sent counts as stored.
    package var counts: DeliveryCounts

    /// What was kept for later answers about it.
    package var record: [UInt8]?

    /// How many items were accepted.
    package var accepted: Int {
        counts.total
    }
}

/// A batch that was sent with an idempotency key.
package struct KeyedBatch: Sendable, Equatable {
    /// What it was sent with.
    package var fingerprint: [UInt8]

    /// The batch.
    package var batch: BatchRecord
}
