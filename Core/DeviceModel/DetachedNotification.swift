/// A notification of a device, apart from the device: each is written and read alone, so that many need little memory.
package struct DetachedNotification: Codable, Sendable {
    fileprivate let notification: ReceivedNotification
}

extension DeviceModel {
    /// Removes and returns the notifications, without which the device must not be used.
    package mutating func detachNotifications() -> [DetachedNotification] {
        received.detachAll().map(DetachedNotification.init)
    }

    /// Adds notifications that were detached from this device.
    package mutating func attach(_ notifications: [DetachedNotification]) {
        received.attach(notifications.map(\.notification))
    }
}
