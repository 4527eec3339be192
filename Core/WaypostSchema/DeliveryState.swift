/// Where a notification is between its sender and its device: the one list of states, for receipts, log, metrics and
/// documents alike.
///
/// docs/gateway.md says which state follows which.
public enum DeliveryState: String, Codable, CodingKeyRepresentable, Sendable, CaseIterable {
    /// The gateway has it and did not store it: it is now or never, and its device is connected.
    case accepted

    /// In the device's inbox, as durable as the receipt says, until the device acknowledges it.
    case stored

    /// Written to the device's open stream, and not acknowledged yet; what was stored still is.
    case sent

    /// The device has it and said so.
    case acknowledged

    /// A later notification took its place: one with the same collapse identifier, or with the same topic where the
    /// app's storage is `apns`.
    case collapsed

    /// Its expiration passed before the device acknowledged it.
    case expired

    /// Its expiration was 0, and the device was not connected or did not acknowledge it.
    case dropped

    /// Its device was unregistered, from the gateway or for the topic, before it acknowledged it.
    case unregistered

    /// The gateway did not accept it.
    case rejected

    /// Whether nothing more will become of it.
    public var isFinal: Bool {
        switch self {
        case .accepted, .stored, .sent: false
        case .acknowledged, .collapsed, .expired, .dropped, .unregistered, .rejected: true
        }
    }
}
