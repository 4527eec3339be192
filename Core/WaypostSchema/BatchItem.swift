/// One notification of a batch: a line of NDJSON, or an element of a JSON array.
///
/// Its fields have the names and the meaning of the headers of APNs.
public struct BatchItem: Codable, Sendable, Equatable {
    /// The device it goes to.
    public var token: DeviceToken

    /// The app it is for.
    public var topic: Topic

    /// What kind of notification it is; `alert` where absent.
    public var pushType: PushType?

    /// 10 for at once, 5 for when power allows, 1 for never waking the device; 10 where absent.
    public var priority: Int?

    /// When it is no longer worth delivering, in seconds since 1970; 0 is now or never.
    public var expiration: Int?

    /// The collapse identifier, 64 bytes at most.
    public var collapseID: CollapseIdentifier?

    /// Its identifier, a UUID; the gateway makes one where absent.
    public var id: NotificationID?

    /// The payload: an object, 4,096 bytes at most, or 5,120 where the push type is `voip`.
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
