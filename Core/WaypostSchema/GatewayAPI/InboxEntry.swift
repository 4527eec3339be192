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
