/// An effect on notifications, Live Activities or processes of apps.
public enum NotificationEffect: Sendable, Equatable {
    /// The device shows a notification, which the user can open.
    case notificationPosted(DeviceNotification)

    /// The user sees more or less of a notification, because its app answered.
    case notificationUpdated(DeviceNotification)

    /// No app on the device has the notification's topic.
    case notificationDiscarded(NotificationID, Topic)

    /// The notification was delivered again and is ignored.
    case repetitionIgnored(NotificationID)

    /// The system called a function of an app.
    case appCalled(BundleIdentifier, AppCall)

    /// The system ended an app, because it did not answer a call as it must.
    case appEnded(BundleIdentifier, AppCall)

    /// A Live Activity started, changed, ended or disappeared.
    case liveActivityChanged(LiveActivity)
}

extension NotificationEffect {
    /// The names of the effects.
    public enum Kind: String, StringEnum {
        case notificationPosted, notificationUpdated, notificationDiscarded, repetitionIgnored, appCalled,
            appEnded, liveActivityChanged
    }

    init(_ kind: Kind, in fields: TaggedFields<DeviceEffect.Field>) throws {
        self =
            switch kind {
            case .notificationPosted: try .notificationPosted(fields.read(.notification))
            case .notificationUpdated: try .notificationUpdated(fields.read(.notification))
            case .notificationDiscarded: try .notificationDiscarded(fields.read(.notification), fields.read(.topic))
            case .repetitionIgnored: try .repetitionIgnored(fields.read(.notification))
            case .appCalled: try .appCalled(fields.read(.app), fields.read(.call))
            case .appEnded: try .appEnded(fields.read(.app), fields.read(.call))
            case .liveActivityChanged: try .liveActivityChanged(fields.read(.liveActivity))
            }
    }

    var taggedValues: TaggedValues<Kind, DeviceEffect.Field> {
        switch self {
        case .notificationPosted(let notification): (.notificationPosted, [.notification: notification])
        case .notificationUpdated(let notification): (.notificationUpdated, [.notification: notification])
        case .notificationDiscarded(let notification, let topic):
            (.notificationDiscarded, [.notification: notification, .topic: topic])
        case .repetitionIgnored(let notification): (.repetitionIgnored, [.notification: notification])
        case .appCalled(let app, let call): (.appCalled, [.app: app, .call: call])
        case .appEnded(let app, let call): (.appEnded, [.app: app, .call: call])
        case .liveActivityChanged(let activity): (.liveActivityChanged, [.liveActivity: activity])
        }
    }
}
