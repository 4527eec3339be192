package import Delivery
import Synchronization
package import WaypostSchema

/// The store that lives as long as the gateway's process: `--store memory`.
///
/// It promises nothing across a restart, and its receipts say so (`durability: memory`). No call of it fails or waits
/// for more than the lock around its records, which is held for one change or one page.
package final class MemoryStore: GatewayStore {
    let records: Mutex<GatewayRecords>

    /// What an accepted notification survives: nothing.
    package let durability = Durability.memory

    /// Creates an empty store whose log keeps what has ended for `logRetention` seconds; 0 keeps no log.
    package init(logRetention: Int = LogRetention.standard) {
        records = Mutex(GatewayRecords(logRetention: logRetention))
    }
}

// MARK: Registrations

extension MemoryStore {
    /// Registers a device.
    package func register(_ device: NewDevice, in namespace: Namespace, at now: Timestamp) -> RegistrationOutcome {
        records.withLock { $0.register(device, in: namespace, at: now) }
    }

    /// Changes what is known of a device.
    package func change(
        _ token: DeviceToken,
        in namespace: Namespace,
        _ change: DeviceChange,
        at now: Timestamp
    ) -> DeviceChangeOutcome? {
        records.withLock { $0[namespace]?.change(token, change, at: now) }
    }

    /// Returns the device that has `token`.
    package func device(_ token: DeviceToken, in namespace: Namespace) -> RegisteredDevice? {
        records.withLock { $0[namespace]?.device(token) }
    }

    /// Returns the namespaces in which devices have `tokens`.
    package func homes(of tokens: Set<DeviceToken>) -> [DeviceToken: Namespace] {
        records.withLock { records in
            tokens.reduce(into: [:]) { homes, token in homes[token] = records.home(of: token) }
        }
    }

    /// Returns the agent whose secret has `digest`.
    package func agent(with digest: SecretDigest) -> AgentID? {
        records.withLock { $0.agent(with: digest) }
    }

    /// Chooses how an app's notifications are kept.
    package func setStorage(
        _ mode: StorageMode,
        for topic: Topic,
        in namespace: Namespace,
        at now: Timestamp
    ) -> StoreChanges {
        records.withLock { $0[orNew: namespace].setStorage(mode, for: topic, at: now) }
    }

    /// Returns the apps for which something was chosen.
    package func apps(in namespace: Namespace) -> [AppSettings] {
        records.withLock { $0[namespace]?.apps ?? [] }
    }
}

// MARK: Provider keys

extension MemoryStore {
    /// Adds a key.
    package func setKey(_ key: ProviderKey, in namespace: Namespace) {
        records.withLock { $0[orNew: namespace].keys[key.id] = key }
    }

    /// Forgets a key.
    package func removeKey(_ id: ProviderKeyID, in namespace: Namespace) -> Bool {
        records.withLock { $0[namespace]?.keys.removeValue(forKey: id) != nil }
    }

    /// Returns the keys of every namespace.
    package func keys() -> [Namespace: [ProviderKey]] {
        records.withLock { $0.keys }
    }
}

// MARK: Broadcast channels

extension MemoryStore {
    /// Adds a channel.
    package func setChannel(_ channel: BroadcastChannel, in namespace: Namespace) {
        records.withLock { $0[orNew: namespace].channels[channel.id] = channel }
    }

    /// Forgets a channel.
    package func removeChannel(_ id: ChannelID, in namespace: Namespace) -> Bool {
        records.withLock { $0[namespace]?.removeChannel(id) ?? false }
    }

    /// Returns the channels of every namespace.
    package func channels() -> [Namespace: [BroadcastChannel]] {
        records.withLock { $0.channels }
    }

    /// Subscribes a device to channels.
    package func subscribe(
        _ token: DeviceToken,
        to channels: Set<ChannelID>,
        in namespace: Namespace
    ) -> Set<ChannelID>? {
        records.withLock { $0[namespace]?.subscribe(token, to: channels) }
    }

    /// Returns the channels that a device is subscribed to.
    package func subscriptions(of token: DeviceToken, in namespace: Namespace) -> Set<ChannelID> {
        records.withLock { $0[namespace]?.subscriptions(of: token) ?? [] }
    }

    /// Returns the devices that are subscribed to a channel.
    package func subscribers(to channel: BroadcastChannel, in namespace: Namespace) -> [DeviceToken] {
        records.withLock { $0[namespace]?.subscribers(to: channel) ?? [] }
    }
}

// MARK: Batches

extension MemoryStore {
    /// Takes a batch in.
    package func append(
        _ batch: NewBatch,
        connected: Set<AgentID>,
        at now: Timestamp,
        handOver: @escaping @Sendable (Appended) -> Void
    ) -> AppendOutcome {
        records.withLock { records in
            let outcome = records.append(batch, connected: connected, at: now)
            // Under the lock, as nothing else says what came first.
            if case .appended(let appended) = outcome { handOver(appended) }
            return outcome
        }
    }

    /// Returns what has become of a batch.
    package func batch(_ id: BatchID, in namespace: Namespace) -> BatchRecord? {
        records.withLock { $0[namespace]?.batches.record(of: id) }
    }

    /// Returns the batch that was sent with `key` in the last 24 hours.
    package func batch(with key: String, in namespace: Namespace, at now: Timestamp) -> KeyedBatch? {
        records.withLock { $0[namespace]?.batches.batch(with: key, at: now) }
    }
}

// MARK: Inboxes

extension MemoryStore {
    /// Returns a page of an agent's inbox.
    ///
    /// - Complexity: O(log n + limit) for n notifications, what the page leaves out aside.
    package func read(_ agent: AgentID, after cursor: Int, limit: Int, at now: Timestamp) -> [StoredNotification] {
        records.withLock { $0[agent.namespace]?.read(agent.number, after: cursor, limit: limit, at: now) ?? [] }
    }

    /// Takes `sequences` out of an agent's inbox as acknowledged.
    package func acknowledge(
        _ agent: AgentID,
        _ sequences: [Int],
        attempts: [Int: DeliveryAttempts],
        at now: Timestamp
    ) -> StoreChanges {
        records.withLock {
            $0[agent.namespace]?.acknowledge(agent.number, sequences, attempts: attempts, at: now) ?? StoreChanges()
        }
    }

    /// Counts notifications that were now or never in their final states.
    package func settle(_ ends: [FlightEnd]) {
        records.withLock { records in
            for end in ends { records.settle(end) }
        }
    }

    /// Notes that an agent's stream is gone.
    package func disconnect(_ agent: AgentID, at now: Timestamp) -> StoreChanges {
        records.withLock { $0[agent.namespace]?.disconnect(agent.number, at: now) ?? StoreChanges() }
    }

    /// Takes what has expired out of a namespace's inboxes, and forgets old keys and batches.
    ///
    /// - Complexity: O(1) where nothing is due.
    package func expire(_ namespace: Namespace, at now: Timestamp) -> StoreChanges {
        records.withLock { $0[namespace]?.expire(at: now) ?? StoreChanges() }
    }
}

// MARK: Namespaces

extension MemoryStore {
    /// Returns every namespace in which there is anything.
    package func namespaces() -> [NamespaceSummary] {
        records.withLock(\.summaries)
    }

    /// Forgets everything in a namespace.
    package func reset(_ namespace: Namespace) -> Set<AgentID> {
        records.withLock { $0.reset(namespace) }
    }

    /// Returns what a namespace's manual clock shows.
    package func clock(of namespace: Namespace) -> Timestamp? {
        records.withLock { $0[namespace]?.clock }
    }

    /// Sets a namespace's manual clock, unless it shows a later time already.
    package func setClock(of namespace: Namespace, to now: Timestamp) {
        records.withLock { records in
            records[orNew: namespace].clock = max(records[orNew: namespace].clock ?? now, now)
        }
    }
}
