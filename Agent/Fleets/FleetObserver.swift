package import NIOCore
package import WaypostSchema

/// An observer of the notifications of a fleet.
///
/// Each event loop has one of its own, and calls it only there.
package protocol FleetObserver: AnyObject {
    /// A notification arrived on its device.
    ///
    /// - Parameters:
    ///   - id: the notification.
    ///   - device: the token of the device.
    ///   - isFirst: whether it had not arrived before.
    ///   - time: the time.
    func notificationArrived(_ id: NotificationID, on device: DeviceToken, isFirst: Bool, at time: NIODeadline)

    /// The gateway answered an acknowledgement.
    ///
    /// - Parameters:
    ///   - notifications: the notifications, each with the token of its device.
    ///   - time: the time of the answer.
    func notificationsAcknowledged(_ notifications: [(id: NotificationID, device: DeviceToken)], at time: NIODeadline)
}
