public import WaypostSchema

/// The notifications on a device, each once, in the order of their arrival.
struct ReceivedNotifications: Sendable, Codable {
    private struct Received: Codable {
        var shown: DeviceNotification
        let payload: JSONValue
    }

    private var received: [NotificationID: Received] = [:]
    private var known: Set<NotificationID> = []
    private var order: [NotificationID] = []

    /// The notifications that the user has not dismissed.
    var shown: [DeviceNotification] {
        order.compactMap { id in received[id]?.shown }
    }

    /// Returns whether a notification was delivered before, even if it was dismissed since.
    func has(_ id: NotificationID) -> Bool {
        known.contains(id)
    }

    /// Adds the identifiers of notifications that were delivered before.
    mutating func know(_ other: Self) {
        known.formUnion(other.known)
    }

    /// The notification with an identifier, or `nil` if it cannot be opened.
    subscript(id: NotificationID) -> DeviceNotification? {
        received[id]?.shown
    }

    /// Returns a notification's payload for the app, as its provider sent it.
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
            receivedAt: now,
            traceparent: notification.traceparent
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

    /// Dismisses a notification, which is still recognized if it is delivered again.
    ///
    /// - Returns: whether the notification was there.
    mutating func dismiss(_ id: NotificationID) -> Bool {
        guard received.removeValue(forKey: id) != nil else { return false }
        order.removeAll { $0 == id }
        return true
    }
}

/// The part of a notification's payload that a device reads (`UNNotificationContent`).
public struct NotificationContent: Sendable, Equatable {
    /// The alert's title.
    public var title: String?

    /// The alert's text.
    public var body: String?

    /// The target content identifier of the notification, from `aps.target-content-id`.
    public var targetContentIdentifier: TargetContentIdentifier?

    /// Parses a payload; a value that is absent or of another type is `nil`.
    public init(payload: JSONValue) {
        let aps = payload["aps"]
        let alert = aps?["alert"]
        title = alert?["title"]?.string
        // A plain string as alert is its text.
        body = alert?.string ?? alert?["body"]?.string
        targetContentIdentifier = aps?["target-content-id"]?.string.map(TargetContentIdentifier.init(rawValue:))
    }
}
