/// A notification in the inbox of a device.
public struct InboxEntry: Codable, Sendable, Equatable {
    /// The notification as it is delivered, with its payload.
    public var notification: DeliveredNotification

    /// `sent` if it was written to a stream and is not acknowledged; otherwise `stored`.
    public var state: DeliveryState

    /// Whether it waits because the device's power is low.
    public var held: Bool

    /// Creates the value from its parts.
    public init(notification: DeliveredNotification, state: DeliveryState, held: Bool) {
        self.notification = notification
        self.state = state
        self.held = held
    }
}

/// A part of an inbox.
public struct InboxPage: Codable, Sendable, Equatable {
    /// The notifications, in the order in which they arrived.
    public var notifications: [InboxEntry]

    /// The sequence after which the next page begins; absent if this is the last one.
    public var next: Int?

    /// Creates the value from its parts.
    public init(notifications: [InboxEntry], next: Int? = nil) {
        self.notifications = notifications
        self.next = next
    }
}

/// The response to a purge of an inbox.
public struct InboxPurge: Codable, Sendable, Equatable {
    /// The number of notifications that were removed.
    public var removed: Int

    /// Creates the value from its parts.
    public init(removed: Int) {
        self.removed = removed
    }
}
