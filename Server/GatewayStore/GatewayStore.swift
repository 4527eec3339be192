package import Delivery
package import WaypostSchema

/// The storage for everything that the gateway must not lose: registrations, keys, inboxes, batch states, idempotency
/// keys.
///
/// A change returns when it is as durable as `durability` says; a call that throws has changed nothing. Callers pass
/// the time as an argument. Changes run one after another, so a change sees all changes that returned before it. A
/// reader sees a change completely or not at all. Every engine passes the tests of `StoreEngine`.
package protocol GatewayStore: Sendable {
    /// The events that an accepted notification survives.
    var durability: Durability { get }

    // MARK: Registrations

    /// Registers a device.
    func register(
        _ device: NewDevice,
        in namespace: Namespace,
        at now: Timestamp
    ) async throws(StoreError)
        -> RegistrationOutcome

    /// Changes a device and returns its new state and the changes to the store, or `nil` if no device has the token.
    func change(
        _ token: DeviceToken,
        in namespace: Namespace,
        _ change: DeviceChange,
        at now: Timestamp
    ) async throws(StoreError) -> DeviceChangeOutcome?

    /// Returns the device with `token`, regardless of its standing.
    func device(_ token: DeviceToken, in namespace: Namespace) async throws(StoreError) -> RegisteredDevice?

    /// Returns the namespaces with devices for `tokens`; tokens without a device are absent.
    ///
    /// If several namespaces have a token, an active token takes precedence over others, and then the one whose
    /// standing changed last.
    func namespaces(of tokens: Set<DeviceToken>) async throws(StoreError) -> [DeviceToken: Namespace]

    /// Returns the agent whose secret has the digest `digest`.
    func agent(with digest: SecretDigest) async throws(StoreError) -> AgentID?

    /// Sets the storage mode of an app; if it is `apns`, each device keeps only the newest notification.
    func setStorage(
        _ mode: StorageMode,
        for topic: Topic,
        in namespace: Namespace,
        at now: Timestamp
    ) async throws(StoreError) -> StoreChanges

    /// Returns the apps with a storage mode that was set, by topic.
    func apps(in namespace: Namespace) async throws(StoreError) -> [AppSettings]

    // MARK: Provider keys

    /// Stores a key that verifies provider tokens, replacing the key with the same identifier.
    func setKey(_ key: ProviderKey, in namespace: Namespace) async throws(StoreError)

    /// Deletes a key; returns whether it existed.
    func removeKey(_ id: ProviderKeyID, in namespace: Namespace) async throws(StoreError) -> Bool

    /// Returns the keys of every namespace, by identifier.
    func keys() async throws(StoreError) -> [Namespace: [ProviderKey]]

    // MARK: Broadcast channels

    /// Stores a channel, replacing the channel with the same name.
    func setChannel(_ channel: BroadcastChannel, in namespace: Namespace) async throws(StoreError)

    /// Deletes a channel and its subscriptions; returns whether it existed.
    func removeChannel(_ id: ChannelID, in namespace: Namespace) async throws(StoreError) -> Bool

    /// Returns the channels of every namespace, by name.
    func channels() async throws(StoreError) -> [Namespace: [BroadcastChannel]]

    /// Subscribes a device to exactly these channels.
    ///
    /// A device that is no longer active loses all its subscriptions.
    ///
    /// - Returns: the channels that are new for the device; `nil` if no active device has the token.
    func subscribe(
        _ token: DeviceToken,
        to channels: Set<ChannelID>,
        in namespace: Namespace
    ) async throws(StoreError) -> Set<ChannelID>?

    /// Returns the channels that a device is subscribed to.
    func subscriptions(of token: DeviceToken, in namespace: Namespace) async throws(StoreError) -> Set<ChannelID>

    /// Returns the devices that are subscribed to a channel and registered for its topic, in order of registration.
    func subscribers(to channel: BroadcastChannel, in namespace: Namespace) async throws(StoreError) -> [DeviceToken]

    // MARK: Batches

    /// Stores a batch and decides what happens to each notification.
    ///
    /// If the key of the batch is known, nothing is stored, and the result is the earlier batch.
    ///
    /// - Parameters:
    ///   - batch: the batch.
    ///   - connected: the agents with open streams.
    ///   - now: the current time.
    ///   - handOver: called with the stored batch once it is durable. The call comes before later batches are handed
    ///     over and before later changes return, so that streams get everything in order. It must be fast, and must not
    ///     call the store.
    /// - Returns: the outcome.
    /// - Throws: `StoreError`; nothing of the batch is stored then.
    func append(
        _ batch: NewBatch,
        connected: Set<AgentID>,
        at now: Timestamp,
        handOver: @escaping @Sendable (Appended) -> Void
    ) async throws(StoreError)
        -> AppendOutcome

    /// Returns the current data of a batch.
    func batch(_ id: BatchID, in namespace: Namespace) async throws(StoreError) -> BatchRecord?

    /// Returns the batch that was sent with `key` in the last 24 hours.
    func batch(with key: String, in namespace: Namespace, at now: Timestamp) async throws(StoreError) -> KeyedBatch?

    // MARK: Inboxes

    /// Returns the first `limit` notifications above `cursor` in an agent's inbox, in ascending order of sequence.
    ///
    /// Expired notifications, and those held back while power is low, are left out.
    func read(
        _ agent: AgentID,
        after cursor: Int,
        limit: Int,
        at now: Timestamp
    ) async throws(StoreError)
        -> [StoredNotification]

    /// Removes acknowledged notifications from an agent's inbox.
    ///
    /// - Parameters:
    ///   - agent: the agent with the inbox.
    ///   - sequences: the acknowledged sequences; those that are not in the inbox are ignored.
    ///   - attempts: for the log, the times and the number of writes to the agent's stream, for those that were sent.
    ///   - now: the current time.
    /// - Returns: the notifications that left the inbox.
    /// - Throws: `StoreError`.
    func acknowledge(
        _ agent: AgentID,
        _ sequences: [Int],
        attempts: [Int: DeliveryAttempts],
        at now: Timestamp
    ) async throws(StoreError) -> StoreChanges

    /// Counts transient notifications in their final states, and records these in the log.
    func settle(_ ends: [TransientEnd]) async throws(StoreError)

    /// Handles the end of an agent's stream: of an app with storage `apns`, each device keeps only the newest
    /// notification.
    func disconnect(_ agent: AgentID, at now: Timestamp) async throws(StoreError) -> StoreChanges

    /// Removes expired notifications from a namespace's inboxes, and deletes old data.
    ///
    /// It deletes keys after 24 hours, batches 7 days after a sweep first found them older than that and settled, and
    /// log entries after their retention.
    func expire(_ namespace: Namespace, at now: Timestamp) async throws(StoreError) -> StoreChanges

    // MARK: Delivery log

    /// Returns a part of the log in ascending order: the first or the last entries that match the query.
    func log(_ query: LogQuery, in namespace: Namespace) async throws(StoreError) -> [LogEntry]

    /// Returns the log entries at `sequences` in ascending order; sequences without an entry are ignored.
    func log(at sequences: [Int], in namespace: Namespace) async throws(StoreError) -> [LogEntry]

    /// Returns the newest log entry of the notification with the identifier `id`.
    func log(of id: NotificationID, in namespace: Namespace) async throws(StoreError) -> LogEntry?

    /// Adds the times and the number of sends, by sequence, to the log entries of notifications.
    func note(_ attempts: [Int: DeliveryAttempts], in namespace: Namespace) async throws(StoreError)

    // MARK: Namespaces

    /// Returns every namespace that contains anything, by name.
    func namespaces() async throws(StoreError) -> [NamespaceSummary]

    /// Deletes everything in a namespace; returns its agents.
    func reset(_ namespace: Namespace) async throws(StoreError) -> Set<AgentID>

    /// Returns the time of a namespace's manual clock; `nil` if it was never set.
    func clock(of namespace: Namespace) async throws(StoreError) -> Timestamp?

    /// Sets a namespace's manual clock, unless it shows a later time already.
    func setClock(of namespace: Namespace, to now: Timestamp) async throws(StoreError)
}

extension GatewayStore {
    /// Stores a batch without handing it over to streams.
    package func append(
        _ batch: NewBatch,
        connected: Set<AgentID>,
        at now: Timestamp
    ) async throws(StoreError)
        -> AppendOutcome
    {
        try await append(batch, connected: connected, at: now) { _ in }
    }
}

/// The reason why a store operation failed; nothing has changed then.
package enum StoreError: Error, Sendable, Equatable {
    /// The disk is full.
    case full

    /// The store's files cannot be written.
    case readOnly

    /// The store's files were removed or replaced while the gateway ran.
    case moved

    /// Another program has locked the store's files.
    case busy

    /// Too many changes are waiting to be written.
    case overloaded

    /// The store failed; the text is for the log.
    case failed(String)
}
