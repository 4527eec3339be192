public import WaypostSchema

/// Something that happens to a device.
public enum DeviceEvent: Sendable, Equatable {
    /// A notification arrived.
    case notificationDelivered(DeliveredNotification)

    /// The person opened a notification.
    case notificationOpened(NotificationID)

    /// A domain was asked for its association file, at `source`.
    case associationChecked(domain: String, source: String, Result<[UInt8], AssociationFailure>)
}

/// What a device does about an event.
public enum DeviceEffect: Sendable, Equatable {
    /// The notification is there for the person to open.
    case notificationPosted(DeviceNotification)

    /// The notification was there already: it was delivered again.
    case repetitionIgnored(NotificationID)

    /// No app on the device is for the notification's topic.
    case notificationDiscarded(NotificationID, Topic)

    /// A scene of an app came to the front.
    case sceneActivated(OpenedNotification)

    /// The device has no such notification, so nothing was opened.
    case nothingToOpen(NotificationID)

    /// What the device knows of a domain's association file changed.
    case associationUpdated(AssociationFileStatus)
}
