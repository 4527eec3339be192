/// The broadcast channels that a device is subscribed to.
public struct DeviceChannels: Codable, Sendable, Hashable {
    /// The identifiers of the channels.
    public var channels: [ChannelID]

    /// Creates the value from its parts.
    public init(channels: [ChannelID]) {
        self.channels = channels
    }
}
