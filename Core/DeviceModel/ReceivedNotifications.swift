public import WaypostSchema

/// The notifications that a device has, each once, in the order of their arrival.
struct ReceivedNotifications: Sendable, Codable {
    private struct Received: Codable {
        var shown: DeviceNotification
        let payload: JSONValue
    }

    private var received: [NotificationID: Received] = [:]
    private var known: Set<NotificationID> = []
    private var order: [NotificationID] = []

    /// Those that the person has not swept away.
    var shown: [DeviceNotification] {
        order.compactMap { id in received[id]?.shown }
    }

    /// Whether a notification came before, be it gone by now.
    func has(_ id: NotificationID) -> Bool {
        known.contains(id)
    }

    /// Takes over which notifications came.
    mutating func know(_ other: Self) {
        known.formUnion(other.known)
    }

    /// A notification that is there to be opened.
    subscript(id: NotificationID) -> DeviceNotification? {
        received[id]?.shown
    }

    /// What a notification's provider sent.
    func response(to id: NotificationID) -> NotificationResponse? {
        received[id].map { NotificationResponse(id: id, payload: $0.payload) }
    }

    mutating func take(_ notification: DeliveredNotification, at now: Timestamp) -> DeviceNotification {
        let content = NotificationContent(payload: notification.payload)
        let shown = DeviceNotification(
            id: notification.id,
            topic: notification.topic,
            title: content.title ?? content.body,
            targetContentIdentifier: content.targetContentIdentifier,
            receivedAt: now
        )
        known.insert(shown.id)
        received[shown.id] = Received(shown: shown, payload: notification.payload)
        order.append(shown.id)
        return shown
    }

    mutating func noteOpened(_ id: NotificationID, at now: Timestamp) {
        guard received[id]?.shown.openedAt == nil else { return }
        received[id]?.shown.openedAt = now
    }

    /// Sweeps a notification away; one that comes again is still known.
    ///
    /// - Returns: whether it was there.
    mutating func dismiss(_ id: NotificationID) -> Bool {
        guard received.removeValue(forKey: id) != nil else { return false }
        order.removeAll { $0 == id }
        return true
    }
}

/// What a device reads out of a notification's payload (`UNNotificationContent`).
public struct NotificationContent: Sendable, Equatable {
    /// The alert's title.
    public var title: String?

    /// The alert's text.
    public var body: String?

    /// What the notification is about, from `aps.target-content-id`.
    public var targetContentIdentifier: TargetContentIdentifier?

    /// Reads a payload; what is absent or of another type is `nil`.
    public init(payload: JSONValue) {
        let aps = payload["aps"]
        let alert = aps?["alert"]
        title = alert?["title"]?.string
        // An alert may be a plain string, which is its text.
        body = alert?.string ?? alert?["body"]?.string
        targetContentIdentifier = aps?["target-content-id"]?.string.map(TargetContentIdentifier.init(rawValue:))
    }
}
