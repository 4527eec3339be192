internal import FoundationEssentials
internal import WaypostSchema

/// The activities of other devices that a person can go on with: the latest of each app on each device.
struct OfferedActivities: Sendable {
    private(set) var all: [OfferedActivity] = []

    private var known: Set<NotificationID> = []

    /// Takes in what a notification brought; `nil` where it came before.
    ///
    /// - Throws: `IgnoredEvent` where the payload is no activity that is handed on.
    mutating func take(
        _ notification: DeliveredNotification,
        at now: Timestamp
    ) throws(IgnoredEvent) -> OfferedActivity? {
        guard known.insert(notification.id).inserted else { return nil }
        let handed = try Self.activity(in: notification.payload)
        let offered = OfferedActivity(
            id: notification.id,
            app: handed.app,
            activity: handed.activity,
            from: handed.from,
            receivedAt: now
        )
        remove(of: handed.app, from: handed.from)
        all.append(offered)
        return offered
    }

    /// Forgets the activity of an app on a device.
    mutating func remove(of app: BundleIdentifier, from device: String?) {
        all.removeAll { $0.app == app && $0.from == device }
    }

    private static func activity(in payload: JSONValue) throws(IgnoredEvent) -> HandedActivity {
        do {
            return try JSONDecoder().decode(HandedActivity.self, from: try JSONEncoder().encode(payload))
        } catch let error as DecodingError {
            throw .noActivity("the payload is no activity that is handed on: \(error.sentence)")
        } catch {
            throw .noActivity("the payload is no activity that is handed on")
        }
    }
}
