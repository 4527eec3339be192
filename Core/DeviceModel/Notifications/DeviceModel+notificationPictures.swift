public import Attribution
public import WaypostSchema

/// Pictures of notifications, as the device draws them.
extension DeviceModel {
    /// Returns the drawing of a notification's banner.
    ///
    /// - Parameters:
    ///   - id: the notification.
    ///   - now: the present time.
    /// - Returns: the drawing, whether the user saw a banner or not; `nil` if the notification is not there.
    public func banner(of id: NotificationID, at now: Timestamp) -> NotificationDrawing? {
        guard let notification = received[id], notification.isListed else { return nil }
        return NotificationDrawing(
            banner: card(of: notification.deviceNotification, more: 0, at: now),
            in: traits.language,
            preferredContentSizeCategory: traits.preferredContentSizeCategory,
            layoutDirection: traits.layoutDirection
        )
    }

    /// Returns the drawing of the Lock Screen: the newest notification of each group.
    public func lockScreen(at now: Timestamp) -> NotificationDrawing {
        let cards = notificationCenter.groups.compactMap { group in
            group.notifications.first.map { card(of: $0, more: group.notifications.count - 1, at: now) }
        }
        return NotificationDrawing(
            lockScreen: cards,
            at: now,
            in: traits.language,
            preferredContentSizeCategory: traits.preferredContentSizeCategory,
            layoutDirection: traits.layoutDirection
        )
    }

    private func card(of notification: DeviceNotification, more: Int, at now: Timestamp) -> NotificationCard {
        let receivedNotification = received[notification.id]
        let app = receivedNotification.flatMap { apps[$0.app]?.description.displayName }
        return NotificationCard(
            notification,
            app: app ?? notification.topic.rawValue,
            sender: receivedNotification.flatMap { sender(of: $0) }?.shownPerson,
            more: more,
            at: now,
            in: traits.language
        )
    }
}
