/// The name of a broadcast channel: bytes in base64, which APNs makes.
public struct ChannelID: StringIdentifier {
    /// The name, in base64.
    public var rawValue: String

    /// Creates the name spelled `rawValue`.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// The broadcast channels that a device is subscribed to.
public struct DeviceChannels: Codable, Sendable, Hashable {
    /// Their names.
    public var channels: [ChannelID]

    /// Creates the value from its parts.
    public init(channels: [ChannelID]) {
        self.channels = channels
    }
}
