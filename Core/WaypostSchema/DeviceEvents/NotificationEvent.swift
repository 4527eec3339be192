/// An event of a notification or a Live Activity.
public enum NotificationEvent: Sendable, Equatable {
    /// A notification arrived.
    case notificationDelivered(DeliveredNotification)

    /// The user opened a notification.
    case notificationOpened(NotificationID)

    /// The user dismissed a notification.
    case notificationDismissed(NotificationID)

    /// The user chose an action of a notification, and entered a text if the action asks for one.
    case notificationActionChosen(NotificationID, action: String, text: String?)

    /// A process of an app finished a call of the system.
    case appCallFinished(BundleIdentifier, call: Int, AppCallResult)

    /// The user removed a Live Activity from the Lock Screen.
    case liveActivityDismissed(NotificationID)

    /// An app requested a notification for itself.
    case localNotificationRequested(BundleIdentifier, id: NotificationID, LocalNotificationRequest)
}

extension NotificationEvent {
    /// The names of the events.
    public enum Kind: String, StringEnum {
        case notificationDelivered, notificationOpened, notificationDismissed, notificationActionChosen,
            appCallFinished, liveActivityDismissed, localNotificationRequested
    }

    init(_ kind: Kind, in fields: TaggedFields<DeviceEvent.Field>) throws {
        self =
            switch kind {
            case .notificationDelivered: try .notificationDelivered(fields.read(.notification))
            case .notificationOpened: try .notificationOpened(fields.read(.notification))
            case .notificationDismissed: try .notificationDismissed(fields.read(.notification))
            case .notificationActionChosen:
                try .notificationActionChosen(
                    fields.read(.notification),
                    action: fields.read(.action),
                    text: fields.readIfPresent(.text)
                )
            case .appCallFinished:
                try .appCallFinished(fields.read(.app), call: fields.read(.call), fields.read(.result))
            case .liveActivityDismissed: try .liveActivityDismissed(fields.read(.notification))
            case .localNotificationRequested:
                try .localNotificationRequested(
                    fields.read(.app),
                    id: fields.read(.notification),
                    fields.read(.request)
                )
            }
    }

    var taggedValues: TaggedValues<Kind, DeviceEvent.Field> {
        switch self {
        case .notificationDelivered(let notification): (.notificationDelivered, [.notification: notification])
        case .notificationOpened(let notification): (.notificationOpened, [.notification: notification])
        case .notificationDismissed(let notification): (.notificationDismissed, [.notification: notification])
        case .notificationActionChosen(let notification, let action, let text):
            (.notificationActionChosen, [.notification: notification, .action: action, .text: text])
        case .appCallFinished(let app, let call, let result):
            (.appCallFinished, [.app: app, .call: call, .result: result])
        case .liveActivityDismissed(let notification): (.liveActivityDismissed, [.notification: notification])
        case .localNotificationRequested(let app, let id, let request):
            (.localNotificationRequested, [.app: app, .notification: id, .request: request])
        }
    }
}
