/// A notification that is delivered to a device: the `data` of an event in the courier's stream.
///
/// The gateway writes the payload byte for byte as received, except that line breaks between tokens become spaces.
public struct DeliveredNotification: Codable, Sendable, Equatable {
    /// The position among all notifications that the gateway accepted.
    ///
    /// It increases along a stream, with gaps, except for a notification that is sent again, waited for power, or is
    /// transient.
    public var sequence: Int

    /// The notification's identifier, which identifies a repeated delivery.
    public var id: NotificationID

    /// The token of the device.
    public var token: DeviceToken

    /// The topic of the app.
    public var topic: Topic

    /// The push type.
    public var pushType: PushType

    /// The priority: 10, 5 or 1.
    public var priority: Int

    /// The time at which the notification expires, in seconds since 1970.
    public var expiration: Int?

    /// The collapse identifier.
    public var collapseID: CollapseIdentifier?

    /// The place in the sender's trace, from the `traceparent` header of its request; absent if it had none.
    public var traceparent: TraceParent?

    /// The payload.
    public var payload: JSONValue

    /// Creates the value from its parts.
    public init(
        sequence: Int,
        id: NotificationID,
        token: DeviceToken,
        topic: Topic,
        pushType: PushType,
        priority: Int,
        expiration: Int? = nil,
        collapseID: CollapseIdentifier? = nil,
        traceparent: TraceParent? = nil,
        payload: JSONValue
    ) {
        self.sequence = sequence
        self.id = id
        self.token = token
        self.topic = topic
        self.pushType = pushType
        self.priority = priority
        self.expiration = expiration
        self.collapseID = collapseID
        self.traceparent = traceparent
        self.payload = payload
    }
}
