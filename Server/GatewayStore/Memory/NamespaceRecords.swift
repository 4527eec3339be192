import Delivery
import WaypostSchema

/// Everything in one namespace.
struct NamespaceRecords: Sendable {
    /// A device, under its token.
    struct Device: Sendable {
        /// Its number, which it keeps when it gets another token.
        var number: Int

        var agent: Int
        var name: String
        var topics: Set<Topic>
        var standing = TokenStanding.active
        var since: Timestamp
        var isPowerConstrained = false
    }

    let name: Namespace
    var clock: Timestamp?
    var keys: [ProviderKeyID: ProviderKey] = [:]
    var channels: [ChannelID: BroadcastChannel] = [:]

    /// The channels that each device is subscribed to, by its number.
    var subscriptions: [Int: Set<ChannelID>] = [:]

    var devices: [DeviceToken: Device] = [:]

    /// The token that each device has, by its number.
    var tokens: [Int: DeviceToken] = [:]

    var agents: [SecretDigest: Int] = [:]
    var storage: [Topic: StorageMode] = [:]
    var batches = BatchLedger()
    var log: NotificationLog

    /// The inbox of each agent, by its number.
    var inboxes: [Int: Inbox] = [:]

    /// Nothing in an inbox expires before this, in seconds since 1970.
    var earliestDeadline = Int.max

    init(name: Namespace, logRetention: Int) {
        self.name = name
        log = NotificationLog(retention: logRetention)
    }

    func id(_ agent: Int) -> AgentID {
        AgentID(namespace: name, number: agent)
    }

    var allAgents: [AgentID] {
        inboxes.keys.map(id)
    }

    var summary: NamespaceSummary {
        let stored = inboxes.values.reduce(0) { $0 + $1.count }
        let oldest = inboxes.values.compactMap(\.first).min { $0.sequence < $1.sequence }
        return NamespaceSummary(
            name: name,
            devices: devices.count,
            stored: stored,
            oldest: oldest.flatMap { batches.created($0.batch) }
        )
    }

    var apps: [AppSettings] {
        storage.map { AppSettings(topic: $0.key, storage: $0.value) }.sorted { $0.topic.rawValue < $1.topic.rawValue }
    }

    func policy(for topic: Topic) -> StoragePolicy {
        StoragePolicy(storage[topic] ?? .lossless, for: topic)
    }
}
