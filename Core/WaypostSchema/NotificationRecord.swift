/// What the delivery log knows of one notification.
public struct NotificationRecord: Codable, Sendable, Equatable {
    /// Its place in the log, which only grows; of what was accepted also the sequence of its delivery.
    public var sequence: Int

    /// Its identifier; absent where it was rejected and had none that can be used.
    public var id: NotificationID?

    /// The batch it came in.
    public var batch: BatchID

    /// The token it was sent to, or the one that its device has now; absent where it was rejected and had none.
    public var token: DeviceToken?

    /// The app it is for; absent where it was rejected and had none.
    public var topic: Topic?

    /// What kind of notification it is; absent where it was rejected before that was read.
    public var pushType: PushType?

    /// 10, 5 or 1; absent where it was rejected before that was read.
    public var priority: Int?

    /// When it is no longer worth delivering, in seconds since 1970; 0 is now or never.
    public var expiration: Int?

    /// Its collapse identifier.
    public var collapseID: CollapseIdentifier?

    /// Where it is now.
    public var state: DeliveryState

    /// How often it was written to an event stream.
    public var attempts: Int

    /// Every state that it has been in, in order, with the time when it first was.
    public var history: [DeliveryStep]

    /// Why it was rejected.
    public var reason: RejectionReason?

    /// The same for a person.
    public var message: String?

    /// What is unusual about it; absent where nothing is.
    public var findings: [NotificationFinding]?

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
        findings: [NotificationFinding]? = nil
    ) {
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

    /// Whether it has ever been in `state`.
    public func hasReached(_ state: DeliveryState) -> Bool {
        history.contains { $0.state == state }
    }
}

/// A state that a notification was in, and since when.
public struct DeliveryStep: Codable, Sendable, Equatable {
    /// The state.
    public var state: DeliveryState

    /// When it was first reached, on the clock of its namespace.
    public var at: Timestamp

    /// Creates the value from its parts.
    public init(_ state: DeliveryState, at moment: Timestamp) {
        self.state = state
        at = moment
    }
}

/// A page of the delivery log, in the order of arrival.
public struct NotificationPage: Codable, Sendable, Equatable {
    /// The notifications.
    public var notifications: [NotificationRecord]

    /// What `after` is to be for the next page; absent where the log ends here.
    public var next: Int?

    /// Creates the value from its parts.
    public init(notifications: [NotificationRecord], next: Int? = nil) {
        self.notifications = notifications
        self.next = next
    }
}
