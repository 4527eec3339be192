internal import JSONScanning
internal import WaypostSchema

/// The activities of other devices that the user can continue: the latest one of each app on each device.
struct OfferedActivities: Sendable, Codable {
    private(set) var all: [OfferedActivity] = []

    private var known: Set<NotificationID> = []

    /// Returns whether a notification was delivered before.
    func wasDelivered(_ id: NotificationID) -> Bool {
        known.contains(id)
    }

    /// Returns the activity in a notification, or `nil` if the notification was delivered before.
    ///
    /// - Throws: `IgnoredEvent` if the payload is not a handed-off activity.
    mutating func readOffer(
        in notification: DeliveredNotification,
        at now: Timestamp
    ) throws(IgnoredEvent) -> OfferedActivity? {
        guard known.insert(notification.id).inserted else { return nil }
        let handedActivity = try Self.activity(in: notification.payload)
        return OfferedActivity(
            id: notification.id,
            app: handedActivity.app,
            activity: handedActivity.activity,
            from: handedActivity.from,
            receivedAt: now
        )
    }

    /// Offers an activity, which replaces the one of the same app on the same device.
    mutating func add(_ offer: OfferedActivity) {
        remove(of: offer.app, from: offer.from)
        all.append(offer)
    }

    /// Adds the identifiers of notifications that were delivered before.
    mutating func markAsDelivered(_ other: Self) {
        known.formUnion(other.known)
    }

    /// Removes the activities of a removed app.
    mutating func removeAll(of app: BundleIdentifier) {
        all.removeAll { $0.app == app }
    }

    /// Removes the activity of an app on a device.
    mutating func remove(of app: BundleIdentifier, from device: String?) {
        all.removeAll { $0.app == app && $0.from == device }
    }

    private static func activity(in payload: JSONValue) throws(IgnoredEvent) -> HandedActivity {
        do {
            return try DocumentDecoder.decode(HandedActivity.self, from: payload.node)
        } catch let error as DecodingError {
            throw IgnoredEvent(
                reason: .noActivity,
                explanation: "the payload is not a handed-off activity: \(error.sentence)"
            )
        } catch {
            throw IgnoredEvent(reason: .noActivity, explanation: "the payload is not a handed-off activity")
        }
    }
}
