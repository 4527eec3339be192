/// One notification of a batch: a line of NDJSON, or an element of a JSON array.
///
/// Its fields have the names and the meaning of the APNs headers.
public struct BatchItem: Codable, Sendable, Equatable {
    /// The token of the device.
    public var token: DeviceToken

    /// The topic of the app.
    public var topic: Topic

    /// The push type; `alert` if absent.
    public var pushType: PushType?

    /// 10 to deliver at once, 5 to consider the device's power, 1 to never wake the device; 10 if absent.
    public var priority: Int?

    /// The time at which the notification expires, in seconds since 1970; 0 means deliver now or drop.
    public var expiration: Int?

    /// The collapse identifier, at most 64 bytes.
    public var collapseID: CollapseIdentifier?

    /// The notification's identifier, a UUID; the gateway creates one if absent.
    public var id: NotificationID?

    /// The payload: an object of at most 4,096 bytes, or 5,120 bytes for the push type `voip`.
    public var payload: JSONValue

    /// Creates the value from its parts.
    public init(
        token: DeviceToken,
        topic: Topic,
        pushType: PushType? = nil,
        priority: Int? = nil,
        expiration: Int? = nil,
        collapseID: CollapseIdentifier? = nil,
        id: NotificationID? = nil,
        payload: JSONValue
    ) {
        self.token = token
        self.topic = topic
        self.pushType = pushType
        self.priority = priority
        self.expiration = expiration
        self.collapseID = collapseID
        self.id = id
        self.payload = payload
    }
}
