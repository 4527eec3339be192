internal import WaypostSchema

/// The notifications on a device, each once, in the order of their arrival.
struct ReceivedNotifications: Sendable, Codable {
    private struct Received: Codable {
        var shown: DeviceNotification
        let payload: JSONValue
        let decision: NotificationDecision
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

    /// Returns what the device did with a notification when it arrived, and why.
    func decision(on id: NotificationID) -> NotificationDecision? {
        received[id]?.decision
    }

    mutating func take(
        _ notification: DeliveredNotification,
        _ content: NotificationContent,
        _ decision: NotificationDecision,
        at now: Timestamp
    ) -> DeviceNotification {
        var shown = DeviceNotification(
            id: notification.id,
            topic: notification.topic,
            title: content.title ?? content.body,
            targetContentIdentifier: content.targetContentIdentifier,
            receivedAt: now,
            traceparent: notification.traceparent
        )
        shown.subtitle = content.subtitle
        shown.body = content.body
        shown.threadIdentifier = content.threadIdentifier
        shown.categoryIdentifier = content.categoryIdentifier
        shown.interruptionLevel = content.interruptionLevel == .active ? nil : content.interruptionLevel
        shown.relevanceScore = content.relevanceScore
        shown.presentation = decision.presentation
        known.insert(shown.id)
        received[shown.id] = Received(shown: shown, payload: notification.payload, decision: decision)
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
