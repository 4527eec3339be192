/// The identifier of a broadcast channel, which APNs creates: bytes in base64.
public struct ChannelID: StringIdentifier {
    /// The identifier, in base64.
    public var rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

/// The broadcast channels that a device is subscribed to.
public struct DeviceChannels: Codable, Sendable, Hashable {
    /// The identifiers of the channels.
    public var channels: [ChannelID]

    /// Creates the value from its parts.
    public init(channels: [ChannelID]) {
        self.channels = channels
    }
}
