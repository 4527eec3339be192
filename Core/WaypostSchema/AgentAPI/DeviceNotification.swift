/// A notification on a device, as the control API returns it.
public struct DeviceNotification: Codable, Sendable, Equatable {
    /// The notification's identifier.
    public var id: NotificationID

    /// The topic of the app that the notification is for.
    public var topic: Topic

    /// The notification's title, or its text if it has no title.
    public var title: String?

    /// The line below the title; absent if there is none.
    public var subtitle: String?

    /// The text; absent if there is none.
    public var body: String?

    /// The group among the notifications of the app, from `aps.thread-id`; absent if there is none.
    public var threadIdentifier: String?

    /// The category, from `aps.category`; absent if there is none.
    public var categoryIdentifier: String?

    /// The importance; absent for *active*.
    public var interruptionLevel: InterruptionLevel?

    /// The place in a summary, from 0 to 1; absent if the payload has none.
    public var relevanceScore: Double?

    /// The place in which the notification appeared; absent from agents before this member existed.
    public var presentation: NotificationDecision.Presentation?

    /// The name of the image or storyboard that the app shows while it starts; absent if the payload has none.
    public var launchImageName: String?

    /// The notification with the same collapse identifier that this one replaced; absent if there was none.
    public var replaced: NotificationID?

    /// The sender's card in Contacts; absent if this is no communication notification, or no card matches.
    public var sender: ContactID?

    /// Whether the app requested the notification itself; absent for a push.
    public var isLocal: Bool?

    /// The target content identifier, from `aps.target-content-id`.
    public var targetContentIdentifier: TargetContentIdentifier?

    /// The time at which the device applied the notification.
    public var receivedAt: Timestamp

    /// The time at which the notification was first opened; absent if it was not opened.
    public var openedAt: Timestamp?

    /// The place in the sender's trace; absent if the sender gave none.
    public var traceparent: TraceParent?

    /// Creates the value from its parts.
    public init(
        id: NotificationID,
        topic: Topic,
        title: String? = nil,
        targetContentIdentifier: TargetContentIdentifier? = nil,
        receivedAt: Timestamp,
        openedAt: Timestamp? = nil,
        traceparent: TraceParent? = nil
    ) {
        self.traceparent = traceparent
        self.id = id
        self.topic = topic
        self.title = title
        self.targetContentIdentifier = targetContentIdentifier
        self.receivedAt = receivedAt
        self.openedAt = openedAt
    }
}

extension [DeviceNotification] {
    /// Returns the notification that a person names: by its identifier, the start of it, or `last` for the newest one.
    public func notification(named name: String) -> DeviceNotification? {
        if name == "last" { return last }
        guard !name.isEmpty else { return nil }
        return last { $0.id.rawValue == name } ?? last { $0.id.rawValue.hasPrefix(name) }
    }
}
