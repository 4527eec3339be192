internal import GatewayStore
internal import WaypostSchema

/// What a request wants done about broadcast channels, once nothing is wrong with it.
enum ChannelOrder: Sendable, Equatable {
    /// Make one.
    case create(BroadcastChannel.StoragePolicy)

    /// Say what one is like.
    case read(ChannelID)

    /// Forget one.
    case remove(ChannelID)

    /// List them.
    case list

    /// Send something to one.
    case send(ChannelID, BroadcastMessage)
}

/// Something that is sent to a channel.
struct BroadcastMessage: Sendable, Equatable {
    /// The identifier that its notifications get.
    var id: NotificationID

    /// 10, 5 or 1.
    var priority: Int

    /// When it is no longer worth delivering, in seconds since 1970; 0 is now or never, `nil` what the channel's policy says.
    var expiration: Int?

    /// The payload.
    var payload: [UInt8]

    /// What is unusual about it.
    var findings: [NotificationFinding]
}
