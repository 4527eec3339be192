/// The state of a notification between its sender and its device.
///
/// Receipts, the delivery log, metrics and documents all use these states.
///
/// `docs/gateway.md` describes the transitions.
public enum DeliveryState: String, Codable, CodingKeyRepresentable, Sendable, CaseIterable {
    /// The gateway accepted the notification without storing it: it is transient, and its device is connected.
    case accepted

    /// The notification is in the device's inbox, as durable as the receipt says, until the device acknowledges it.
    case stored

    /// The notification was written to the device's open stream and is unacknowledged; if it was stored, it still is.
    case sent

    /// The device acknowledged the notification.
    case acknowledged

    /// A later notification replaced it: one with the same collapse identifier, or, in the storage mode `apns`, with
    /// the same topic.
    case collapsed

    /// The notification expired before the device acknowledged it.
    case expired

    /// The expiration was 0, and the device was not connected or did not acknowledge the notification.
    case dropped

    /// The device was unregistered, from the gateway or for the topic, before it acknowledged the notification.
    case unregistered

    /// The gateway rejected the notification.
    case rejected

    /// Whether the state can no longer change.
    public var isFinal: Bool {
        switch self {
        case .accepted, .stored, .sent: false
        case .acknowledged, .collapsed, .expired, .dropped, .unregistered, .rejected: true
        }
    }
}
