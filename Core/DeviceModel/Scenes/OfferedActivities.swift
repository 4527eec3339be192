internal import FoundationEssentials
internal import WaypostSchema

/// The activities of other devices that a person can go on with: the latest of each app on each device.
struct OfferedActivities: Sendable, Codable {
    private(set) var all: [OfferedActivity] = []

    private var known: Set<NotificationID> = []

    /// Returns what a notification brought; `nil` where it came before.
    ///
    /// - Throws: `IgnoredEvent` where the payload is no activity that is handed on.
    mutating func offer(
        in notification: DeliveredNotification,
        at now: Timestamp
    ) throws(IgnoredEvent) -> OfferedActivity? {
        guard known.insert(notification.id).inserted else { return nil }
        let handed = try Self.activity(in: notification.payload)
        return OfferedActivity(
            id: notification.id,
            app: handed.app,
            activity: handed.activity,
            from: handed.from,
            receivedAt: now
        )
    }

    /// Offers an activity, in the place of what the app had on that device.
    mutating func add(_ offer: OfferedActivity) {
        remove(of: offer.app, from: offer.from)
        all.append(offer)
    }

    /// Takes over which notifications came.
    mutating func know(_ other: Self) {
        known.formUnion(other.known)
    }

    /// Forgets the activities of an app that is gone.
    mutating func removeAll(of app: BundleIdentifier) {
        all.removeAll { $0.app == app }
    }

    /// Forgets the activity of an app on a device.
    mutating func remove(of app: BundleIdentifier, from device: String?) {
        all.removeAll { $0.app == app && $0.from == device }
    }

    private static func activity(in payload: JSONValue) throws(IgnoredEvent) -> HandedActivity {
        do {
            return try JSONDecoder().decode(HandedActivity.self, from: try JSONEncoder().encode(payload))
        } catch let error as DecodingError {
            throw IgnoredEvent(
                reason: .noActivity,
                explanation: "the payload is no activity that is handed on: \(error.sentence)"
            )
        } catch {
            throw IgnoredEvent(reason: .noActivity, explanation: "the payload is no activity that is handed on")
        }
    }
}
