package import Delivery
package import WaypostSchema

/// What keeps everything that the gateway must not lose: registrations, keys, inboxes, what became of each batch, idempotency
/// keys.
///
/// A call that changes something returns once the change is as durable as `durability` says; one that throws has changed
/// nothing. Time is an argument. Changes happen one after another, so that a change sees everything that returned
/// before it; a reader sees a change whole or not at all. Every engine passes the tests over `StoreEngine`.
package protocol GatewayStore: Sendable {
    /// What an accepted notification survives.
    var durability: Durability { get }

    // MARK: Registrations

    /// Registers a device.
    func register(
        _ device: NewDevice,
        in namespace: Namespace,
        at now: Timestamp
    ) async throws(StoreError)
        -> RegistrationOutcome

    /// Changes what is known of a device; returns what it is then and what changed, or `nil` where no device has the token.
    func change(
        _ token: DeviceToken,
        in namespace: Namespace,
        _ change: DeviceChange,
        at now: Timestamp
    ) async throws(StoreError) -> DeviceChangeOutcome?

    /// Returns the device that has `token`, whatever its standing.
    func device(_ token: DeviceToken, in namespace: Namespace) async throws(StoreError) -> RegisteredDevice?

    /// Returns the namespaces in which devices have `tokens`; tokens that no device has are absent.
    ///
    /// Where several have one, it is that in which the token is active, and of those the one in which it was last.
    func namespaces(of tokens: Set<DeviceToken>) async throws(StoreError) -> [DeviceToken: Namespace]

    /// Returns the agent whose secret has `digest`.
    func agent(with digest: SecretDigest) async throws(StoreError) -> AgentID?

    /// Chooses how an app's notifications are kept; where that is `apns`, the newest of each device stays.
    func setStorage(
        _ mode: StorageMode,
        for topic: Topic,
        in namespace: Namespace,
        at now: Timestamp
    ) async throws(StoreError) -> StoreChanges

    /// Returns the apps for which something was chosen, by topic.
    func apps(in namespace: Namespace) async throws(StoreError) -> [AppSettings]

    // MARK: Provider keys

    /// Adds a key that provider tokens are signed with, or puts it in the place of the one that has its identifier.
    func setKey(_ key: ProviderKey, in namespace: Namespace) async throws(StoreError)

    /// Forgets a key; returns whether there was one.
    func removeKey(_ id: ProviderKeyID, in namespace: Namespace) async throws(StoreError) -> Bool

    /// Returns the keys of every namespace, by identifier.
    func keys() async throws(StoreError) -> [Namespace: [ProviderKey]]

    // MARK: Broadcast channels

    /// Adds a channel, or puts it in the place of the one that has its name.
    func setChannel(_ channel: BroadcastChannel, in namespace: Namespace) async throws(StoreError)

    /// Forgets a channel and who is subscribed to it; returns whether there was one.
    func removeChannel(_ id: ChannelID, in namespace: Namespace) async throws(StoreError) -> Bool

    /// Returns the channels of every namespace, by name.
    func channels() async throws(StoreError) -> [Namespace: [BroadcastChannel]]

    /// Subscribes a device to channels, and to no others; a device that is not active any more is subscribed to none.
    ///
    /// - Returns: those it was not subscribed to before; `nil` where no active device has the token.
    func subscribe(
        _ token: DeviceToken,
        to channels: Set<ChannelID>,
        in namespace: Namespace
    ) async throws(StoreError) -> Set<ChannelID>?

    /// Returns the channels that a device is subscribed to.
    func subscriptions(of token: DeviceToken, in namespace: Namespace) async throws(StoreError) -> Set<ChannelID>

    /// Returns the devices that are subscribed to a channel and registered for its topic, in the order in which they came.
    func subscribers(to channel: BroadcastChannel, in namespace: Namespace) async throws(StoreError) -> [DeviceToken]

    // MARK: Batches

    /// Takes a batch in, and decides about each notification.
    ///
    /// Where the batch has a key that is known, nothing is taken in and the answer is what is known of the first one.
    ///
    /// - Parameters:
    ///   - batch: the batch.
    ///   - connected: the agents whose streams are open.
    ///   - now: the present moment.
    ///   - handOver: called with what was taken in once that is durable, before anything that is accepted later is handed over
    ///     and before a later change is answered for, so that streams get everything in order. It must be quick, and not
    ///     call the store.
    /// - Returns: what became of it.
    /// - Throws: `StoreError`; nothing of the batch is stored then.
    func append(
        _ batch: NewBatch,
        connected: Set<AgentID>,
        at now: Timestamp,
        handOver: @escaping @Sendable (Appended) -> Void
    ) async throws(StoreError)
        -> AppendOutcome

    /// Returns what has become of a batch.
    func batch(_ id: BatchID, in namespace: Namespace) async throws(StoreError) -> BatchRecord?

    /// Returns the batch that was sent with `key` in the last 24 hours.
    func batch(with key: String, in namespace: Namespace, at now: Timestamp) async throws(StoreError) -> KeyedBatch?

    // MARK: Inboxes

    /// Returns the first `limit` notifications of an agent's inbox whose sequence is above `cursor`, ascending; without
    /// those that have expired and those that wait for power.
    func read(
        _ agent: AgentID,
        after cursor: Int,
        limit: Int,
        at now: Timestamp
    ) async throws(StoreError)
        -> [StoredNotification]

    /// Takes `sequences` out of an agent's inbox as acknowledged.
    ///
    /// - Parameters:
    ///   - agent: whose inbox it is.
    ///   - sequences: what is acknowledged; what is not in the inbox is passed over.
    ///   - attempts: when and how often those were sent on the agent's stream that were, for the log.
    ///   - now: the present moment.
    /// - Returns: what left the inbox.
    /// - Throws: `StoreError`.
    func acknowledge(
        _ agent: AgentID,
        _ sequences: [Int],
        attempts: [Int: DeliveryAttempts],
        at now: Timestamp
    ) async throws(StoreError) -> StoreChanges

    /// Counts notifications that were now or never in their final states, and notes those in the log.
    func settle(_ ends: [TransientEnd]) async throws(StoreError)

    /// Notes that an agent's stream is gone: of an app whose storage is `apns` the newest of each device stays.
    func disconnect(_ agent: AgentID, at now: Timestamp) async throws(StoreError) -> StoreChanges

    /// Takes what has expired out of a namespace's inboxes, and forgets keys after 24 hours, batches 7 days after it first
    /// found them older than that and settled, and what the log has kept for long enough since its end.
    func expire(_ namespace: Namespace, at now: Timestamp) async throws(StoreError) -> StoreChanges

    // MARK: Delivery log

    /// Returns a part of the log, ascending: the first of it that suit the query, or the last.
    func log(_ query: LogQuery, in namespace: Namespace) async throws(StoreError) -> [LogEntry]

    /// Returns what the log has at `sequences`, ascending; what it does not have is passed over.
    func log(at sequences: [Int], in namespace: Namespace) async throws(StoreError) -> [LogEntry]

    /// Returns the newest entry of the notification that has `id`.
    func log(of id: NotificationID, in namespace: Namespace) async throws(StoreError) -> LogEntry?

    /// Adds when and how often notifications were sent, by sequence, to what the log has of them.
    func note(_ attempts: [Int: DeliveryAttempts], in namespace: Namespace) async throws(StoreError)

    // MARK: Namespaces

    /// Returns every namespace in which there is anything, by name.
    func namespaces() async throws(StoreError) -> [NamespaceSummary]

    /// Forgets everything in a namespace; returns the agents that were in it.
    func reset(_ namespace: Namespace) async throws(StoreError) -> Set<AgentID>

    /// Returns what a namespace's manual clock shows; `nil` where it was never set.
    func clock(of namespace: Namespace) async throws(StoreError) -> Timestamp?

    /// Sets a namespace's manual clock, unless it shows a later time already.
    func setClock(of namespace: Namespace, to now: Timestamp) async throws(StoreError)
}

extension GatewayStore {
    /// Takes a batch in that nobody waits for.
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

/// Why a store could not do what it was asked; nothing has changed then.
package enum StoreError: Error, Sendable, Equatable {
    /// There is no room left on the disk.
    case full

    /// The store's files cannot be written.
    case readOnly

    /// Another program holds the store's files.
    case busy

    /// More is waiting to be written than the store keeps in mind.
    case overloaded

    /// The store failed; what it said is for the log.
    case failed(String)
}
