import Delivery
import WaypostSchema

/// Everything in one namespace.
struct NamespaceRecords: Sendable {
    /// A device, under its token.
    struct Device: Sendable {
        var agent: Int
        var name: String
        var topics: Set<Topic>
        var standing = TokenStanding.active
        var since: Timestamp
        var isPowerConstrained = false
    }

    let name: Namespace
    var clock: Timestamp?
    var devices: [DeviceToken: Device] = [:]
    var agents: [SecretDigest: Int] = [:]
    var storage: [Topic: StorageMode] = [:]
    var batches = BatchLedger()

    /// The inbox of each agent, by its number.
    var inboxes: [Int: Inbox] = [:]

    /// Nothing in an inbox expires before this, in seconds since 1970.
    var earliestDeadline = Int.max

    init(name: Namespace) {
        self.name = name
    }

    func id(_ agent: Int) -> AgentID {
        AgentID(namespace: name, number: agent)
    }

    var allAgents: [AgentID] {
        inboxes.keys.map(id)
    }

    var summary: NamespaceSummary {
        let stored = inboxes.values.reduce(0) { $0 + $1.count }
        return NamespaceSummary(name: name, devices: devices.count, stored: stored)
    }

    var apps: [AppSettings] {
        storage.map { AppSettings(topic: $0.key, storage: $0.value) }.sorted { $0.topic.rawValue < $1.topic.rawValue }
    }

    func policy(for topic: Topic) -> StoragePolicy {
        StoragePolicy(storage[topic] ?? .lossless, for: topic)
    }
}
