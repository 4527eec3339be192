import WaypostSchema

/// Broadcast channels.
extension NamespaceRecords {
    mutating func removeChannel(_ id: ChannelID) -> Bool {
        for device in subscriptions.keys { subscriptions[device]?.remove(id) }
        return channels.removeValue(forKey: id) != nil
    }

    /// Subscribes a device to channels, and to no others; returns those it was not subscribed to before.
    mutating func subscribe(_ token: DeviceToken, to channels: Set<ChannelID>) -> Set<ChannelID>? {
        guard let device = devices[token], device.standing == .active else { return nil }
        let former = subscriptions[device.number] ?? []
        subscriptions[device.number] = channels.isEmpty ? nil : channels
        return channels.subtracting(former)
    }

    func subscriptions(of token: DeviceToken) -> Set<ChannelID> {
        devices[token].flatMap { subscriptions[$0.number] } ?? []
    }

    func subscribers(to channel: BroadcastChannel) -> [DeviceToken] {
        subscriptions.filter { $1.contains(channel.id) }.keys.sorted()
            .compactMap { tokens[$0] }
            .filter { devices[$0]?.standing == .active && devices[$0]?.topics.contains(channel.topic) == true }
    }
}
