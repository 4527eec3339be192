/// The delivery log's record of one notification.
public struct NotificationRecord: Codable, Sendable, Equatable {
    /// The position in the log, which only increases; for an accepted notification, also its delivery sequence.
    public var sequence: Int

    /// The identifier; absent if the notification was rejected and had no usable one.
    public var id: NotificationID?

    /// The batch that contained the notification.
    public var batch: BatchID

    /// The token it was sent to, or the current token of its device; absent if it was rejected and had none.
    public var token: DeviceToken?

    /// The topic of the app; absent if the notification was rejected and had none.
    public var topic: Topic?

    /// The push type; absent if the notification was rejected before it was read.
    public var pushType: PushType?

    /// The priority: 10, 5 or 1; absent if the notification was rejected before it was read.
    public var priority: Int?

    /// The time at which the notification expires, in seconds since 1970; 0 means deliver now or drop.
    public var expiration: Int?

    /// The collapse identifier.
    public var collapseID: CollapseIdentifier?

    /// The current state.
    public var state: DeliveryState

    /// The number of times that the notification was written to an event stream.
    public var attempts: Int

    /// All states of the notification, in order, with the time at which each was first reached.
    public var history: [DeliveryStep]

    /// The reason for the rejection.
    public var reason: RejectionReason?

    /// A human-readable description of the rejection.
    public var message: String?

    /// The findings about the notification; absent if there are none.
    public var findings: [NotificationFinding]?

    /// The place in the sender's trace, from the `traceparent` header of its request; absent if it had none.
    public var traceparent: TraceParent?

    /// Creates the value from its parts.
    public init(
        sequence: Int,
        id: NotificationID?,
        batch: BatchID,
        token: DeviceToken? = nil,
        topic: Topic? = nil,
        pushType: PushType? = nil,
        priority: Int? = nil,
        expiration: Int? = nil,
        collapseID: CollapseIdentifier? = nil,
        state: DeliveryState,
        attempts: Int = 0,
        history: [DeliveryStep],
        reason: RejectionReason? = nil,
        message: String? = nil,
        findings: [NotificationFinding]? = nil,
        traceparent: TraceParent? = nil
    ) {
        self.traceparent = traceparent
        self.findings = findings
        self.sequence = sequence
        self.id = id
        self.batch = batch
        self.token = token
        self.topic = topic
        self.pushType = pushType
        self.priority = priority
        self.expiration = expiration
        self.collapseID = collapseID
        self.state = state
        self.attempts = attempts
        self.history = history
        self.reason = reason
        self.message = message
    }

    /// Returns whether the notification has ever been in `state`.
    public func hasReached(_ state: DeliveryState) -> Bool {
        history.contains { $0.state == state }
    }
}
