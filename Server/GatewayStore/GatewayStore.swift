package import PushRules
package import WaypostSchema

/// The storage for everything that gateways share: registrations, keys, inboxes, batch states, idempotency keys,
/// sessions, faults.
///
/// A value is one gateway's handle on a store. Other handles may change the same store at any time. A gateway may cache
/// data that `events` can correct, but only the store makes decisions.
///
/// A change returns when it is as durable as `durability` says. If a call throws an error other than
/// `StoreError.outcomeUnknown`, nothing has changed. Callers pass the time as an argument. A change sees all changes
/// that returned before it, on any handle. A reader sees a change completely or not at all. Every engine passes the
/// tests of `StoreEngine`.
///
/// A *nudge* tells a stream that its inbox has new notifications, without their payloads; the stream then reads the
/// inbox.
package protocol GatewayStore: Sendable {
    /// The events that an accepted notification survives.
    var durability: Durability { get }

    /// The changes by other handles since this one was opened, and nudges from this handle's own batches that
    /// `onDurable` did not receive.
    ///
    /// The stream has one reader. Events may be late, repeated, or lost. After a loss, and after a change by this
    /// handle that failed with `outcomeUnknown`, `StoreEvent.gap` follows. The stream of an engine with a single handle
    /// never yields.
    var events: AsyncStream<StoreEvent> { get }

    // MARK: Operation

    /// Whether the store's files have not been moved or replaced since this handle opened them.
    var isInPlace: Bool { get }

    /// The number of items that wait to be written by this handle.
    var waitingItems: Int { get }

    /// Writes something; if this succeeds, the store accepts changes.
    func probe() async throws(StoreError)

    /// Returns the size of the store's database in bytes; `nil` if the engine does not know it.
    func size() async throws(StoreError) -> Int?

    /// Returns a backup of the store as it is at one moment; `nil` if the engine has its own tools.
    ///
    /// Changes may go on in the meantime.
    ///
    /// - Throws: `StoreError`; `busy` while another backup exists.
    func backup() async throws(StoreError) -> StoreBackup?

    /// Finishes the waiting changes and closes the handle.
    ///
    /// - Throws: the error of closing it; all confirmed changes are kept nevertheless.
    func close() throws

    // MARK: Other gateways

    /// Whether other gateways may use the store, so that `sendHeartbeat` and `catchUp` must be called each second.
    var isShared: Bool { get }

    /// Shows the other gateways that this one is alive.
    ///
    /// - Parameter address: the URL of this gateway's courier; `nil` if it does not listen yet.
    /// - Returns: the gateways on the store.
    /// - Throws: `StoreError`; after 5 seconds without success, another gateway may take this one for dead.
    func sendHeartbeat(from address: String?) async throws(StoreError) -> ClusterMembers

    /// Cleans up after gateways that have ended, and finds events that this gateway has missed.
    ///
    /// This may take long, so call it concurrently with `sendHeartbeat`.
    func catchUp() async throws(StoreError)

    /// Returns the current sessions of this gateway, as the store has them.
    func ownSessions() async throws(StoreError) -> [AgentID: SessionEpoch]

    /// Drops the transient notifications that this gateway has read according to the store, but that are missing from
    /// `ownedSequences` in this call and in the previous one.
    ///
    /// After a failover, the store may have lost their final states. One call is not enough: the gateway may not own a
    /// notification yet that it has just read.
    ///
    /// - Parameter ownedSequences: the sequences of the transient notifications in the gateway's memory.
    /// - Throws: `StoreError`.
    func dropTransient(except ownedSequences: Set<Int>) async throws(StoreError)

    /// Forwards an acknowledgement to the gateway with the agent's stream, which processes it.
    ///
    /// - Returns: the number of notifications that it removed; 0 if no other gateway has a stream.
    func forward(_ acknowledgement: Acknowledgement, of agent: AgentID) async throws(StoreError) -> Int

    /// Completes a forwarded acknowledgement with the number of notifications that it removed; `nil` if that failed.
    func completeForwarded(_ forwarded: ForwardedAcknowledgement, removed count: Int?)

    // MARK: Registrations

    /// Registers a device.
    func register(
        _ device: NewDevice,
        in namespace: Namespace,
        at now: Timestamp
    ) async throws(StoreError)
        -> RegistrationOutcome

    /// Changes a device and returns its new state and the changes to the store, or `nil` if no device has the token.
    func updateDevice(
        _ token: DeviceToken,
        in namespace: Namespace,
        with change: DeviceChange,
        at now: Timestamp
    ) async throws(StoreError) -> DeviceChangeOutcome?

    /// Returns the device with `token`, regardless of its standing.
    func device(_ token: DeviceToken, in namespace: Namespace) async throws(StoreError) -> RegisteredDevice?

    /// Returns the first `limit` devices of a namespace that match a filter and whose tokens are after `token`, in the
    /// order of their tokens.
    func devices(
        in namespace: Namespace,
        matching filter: DeviceFilter,
        after token: DeviceToken,
        limit: Int
    ) async throws(StoreError) -> [ListedDevice]

    /// Returns the active devices of agents, in the order of their tokens.
    func devices(of agents: Set<AgentID>, in namespace: Namespace) async throws(StoreError) -> [AgentID: [StreamDevice]]

    /// Returns the topics of the active tokens that the apps of a device have.
    ///
    /// They are the tokens with a purpose that have the agent and the name of the device with `token`.
    func appTopics(ofDeviceWith token: DeviceToken, in namespace: Namespace) async throws(StoreError) -> Set<Topic>

    /// Returns the namespaces of the devices with `tokens`, and their topics if `withTopics`; tokens without a device
    /// are absent.
    ///
    /// If several namespaces have a token, an active token takes precedence over others, and then the one whose
    /// standing changed last.
    func registrations(
        of tokens: Set<DeviceToken>,
        withTopics: Bool
    ) async throws(StoreError) -> [DeviceToken: TokenRegistration]

    /// Returns the agent whose secret has the digest `digest`.
    func agent(withDigest digest: SecretDigest) async throws(StoreError) -> AgentID?

    /// Replaces the secret of an agent of a namespace, whose notifications, devices and sessions stay.
    ///
    /// Repeating it changes nothing.
    func rotateSecret(
        from old: SecretDigest,
        to new: SecretDigest,
        in namespace: Namespace
    ) async throws(StoreError) -> SecretRotationOutcome

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

    /// Stores a new channel, unless its app already has `limit` channels in its environment; returns whether it did.
    func addChannel(_ channel: BroadcastChannel, in namespace: Namespace, limit: Int) async throws(StoreError) -> Bool

    /// Deletes a channel and its subscriptions; returns whether it existed.
    func removeChannel(_ id: ChannelID, in namespace: Namespace) async throws(StoreError) -> Bool

    /// Returns the channels with these identifiers, in whichever namespace they are.
    func channels(_ ids: Set<ChannelID>) async throws(StoreError) -> [ChannelID: ChannelRecord]

    /// Returns the channels of an app without their messages, in order of their identifiers.
    func channels(of app: Topic, in namespace: Namespace) async throws(StoreError) -> [BroadcastChannel]

    /// Subscribes a device to exactly these channels.
    ///
    /// A device that is no longer active loses all its subscriptions.
    ///
    /// - Returns: the channels that are new for the device, with their messages; `nil` if no active device has the
    ///   token.
    func subscribe(
        _ token: DeviceToken,
        to channels: Set<ChannelID>,
        in namespace: Namespace
    ) async throws(StoreError) -> [BroadcastChannel]?

    /// Returns the channels that a device is subscribed to.
    func subscriptions(of token: DeviceToken, in namespace: Namespace) async throws(StoreError) -> Set<ChannelID>

    /// Stores the newest message of a channel, if there is one to keep, and returns the devices to send it to.
    ///
    /// They are subscribed to the channel and registered for its topic, or an app on the device has a token for that
    /// (`appTopics`). A device that subscribes later gets the message with its subscription.
    ///
    /// - Returns: the devices, in order of registration.
    /// - Throws: `StoreError`.
    func storeMessage(
        _ message: BroadcastChannel.Message?,
        of channel: BroadcastChannel,
        in namespace: Namespace
    ) async throws(StoreError) -> [DeviceToken]

    // MARK: Batches

    /// Stores a batch, as `BatchPlan` decides.
    ///
    /// If the key of the batch was used before, nothing is stored, and the result is the earlier batch. Each
    /// notification for an agent with a session is delivered as a payload or by a nudge. An engine delivers a payload
    /// only if `onDurable` received a payload or a nudge for everything older in the inbox.
    ///
    /// - Parameters:
    ///   - batch: the batch.
    ///   - now: the current time.
    ///   - onDurable: called with the stored batch once it is durable. Calls come in the order of the batches, and
    ///     before later changes return, so that streams get everything in order. It must be fast, and must not call the
    ///     store.
    /// - Returns: the outcome.
    /// - Throws: `StoreError`; nothing of the batch is stored then, unless the error is `outcomeUnknown`.
    func append(
        _ batch: NewBatch,
        at now: Timestamp,
        onDurable: @escaping @Sendable (AppendedBatch) -> Void
    ) async throws(StoreError)
        -> AppendOutcome

    /// Returns the current data of a batch.
    func batch(_ id: BatchID, in namespace: Namespace) async throws(StoreError) -> BatchRecord?

    /// Returns the batch that was sent with `key` in the last 24 hours.
    func batch(with key: String, in namespace: Namespace, at now: Timestamp) async throws(StoreError) -> KeyedBatch?

    /// Records that a batch was answered and waits to be stored.
    func addPendingBatch(_ id: BatchID, in namespace: Namespace) async throws(StoreError)

    /// Records that a pending batch is stored (`nil`), or the outcome that kept it from being stored.
    ///
    /// The outcomes of the last 1,000 batches are kept.
    func endPendingBatch(_ id: BatchID, in namespace: Namespace, as outcome: PendingBatch?) async throws(StoreError)

    /// Returns the progress of a batch that was answered before it was stored; `nil` if it is unknown or stored.
    func pendingBatch(_ id: BatchID, in namespace: Namespace) async throws(StoreError) -> PendingBatch?

    // MARK: Sessions

    /// Opens the session of an agent's stream, in place of any other session of the agent, at whichever gateway.
    ///
    /// A notification that was stored before is in the inbox once this returns. One that is stored later is delivered.
    ///
    /// - Returns: the epoch of the session, greater than those of the agent's earlier sessions; `nil` if there is no
    ///   such agent, because its namespace was reset.
    func openSession(_ agent: AgentID) async throws(StoreError) -> SessionEpoch?

    /// Closes sessions that are the current ones of their agents, in one change.
    ///
    /// From then on, the devices of these agents are unreachable: of an app with storage `apns`, each device keeps only
    /// the newest notification.
    ///
    /// - Parameter closings: the sessions; keep them few, because other changes wait for all of them.
    /// - Returns: for each session in order, the changes; `nil` if it is not the current one, and nothing was changed.
    /// - Throws: `StoreError`; all sessions are as before then, unless the error is `outcomeUnknown`.
    /// - Complexity: O(number of notifications of these sessions and in the inboxes of their agents).
    func closeSessions(_ closings: [SessionClosing]) async throws(StoreError) -> [StoreChanges?]

    // MARK: Inboxes

    /// Returns the first `limit` notifications above `cursor` in an agent's inbox, in ascending order of sequence.
    ///
    /// Expired notifications, and those held back while power is low, are left out. Transient notifications that an
    /// engine has delivered by a nudge are among the others, each once.
    func readInbox(
        of agent: AgentID,
        after cursor: Int,
        limit: Int,
        at now: Timestamp
    ) async throws(StoreError)
        -> [StoredNotification]

    /// Returns the first `limit` notifications above `cursor` in the inbox of one device, in ascending order of
    /// sequence; `nil` if no device has the token.
    ///
    /// Expired notifications are left out; those held back while power is low are not. Nothing counts as read.
    func inbox(
        of token: DeviceToken,
        in namespace: Namespace,
        after cursor: Int,
        limit: Int,
        at now: Timestamp
    ) async throws(StoreError) -> [StoredNotification]?

    /// Removes acknowledged notifications from inboxes.
    ///
    /// - Parameter acknowledgements: the acknowledgements; sequences that are not in the inbox of their agent are
    ///   ignored.
    /// - Returns: the notifications that left an inbox, in the order of the acknowledgements.
    /// - Throws: `StoreError`.
    func acknowledge(_ acknowledgements: [AgentAcknowledgement]) async throws(StoreError) -> StoreChanges

    /// Counts transient notifications in their final states, and records these in the log.
    ///
    /// Each notification ends once; its later ends are ignored.
    func recordOutcomes(_ ends: [TransientEnd]) async throws(StoreError)

    /// Removes expired notifications from a namespace's inboxes, and deletes old data.
    ///
    /// It deletes idempotency keys after 24 hours, and log entries after their retention. A batch is deleted 7 days
    /// after a sweep first found that it was settled and at least 7 days old.
    func removeExpired(in namespace: Namespace, at now: Timestamp) async throws(StoreError) -> StoreChanges

    // MARK: Delivery log

    /// Returns a part of the log in ascending order: the first or the last entries that match the query.
    func logEntries(matching query: LogQuery, in namespace: Namespace) async throws(StoreError) -> [LogEntry]

    /// Returns the log entries at `sequences` in ascending order; sequences without an entry are ignored.
    func logEntries(at sequences: [Int], in namespace: Namespace) async throws(StoreError) -> [LogEntry]

    /// Returns the newest log entry of the notification with the identifier `id`.
    func logEntry(of id: NotificationID, in namespace: Namespace) async throws(StoreError) -> LogEntry?

    /// Adds the times and the number of sends, by sequence, to the log entries of notifications.
    func recordAttempts(_ attempts: [Int: DeliveryAttempts], in namespace: Namespace) async throws(StoreError)

    // MARK: Namespaces

    /// Returns every namespace that contains anything, by name.
    func namespaces() async throws(StoreError) -> [NamespaceSummary]

    /// Deletes everything in a namespace; returns its agents.
    func reset(_ namespace: Namespace) async throws(StoreError) -> Set<AgentID>

    /// Returns the time of a namespace's manual clock; `nil` if it has not started.
    func clock(of namespace: Namespace) async throws(StoreError) -> Timestamp?

    /// Starts the manual clock of a namespace at a time, if the namespace exists and the clock has not started.
    ///
    /// - Returns: the time that the clock shows now; `nil` if there is no such namespace.
    /// - Throws: `StoreError`.
    func startClock(of namespace: Namespace, at start: Timestamp) async throws(StoreError) -> Timestamp?

    /// Moves a namespace's manual clock forward, and creates the namespace if it does not exist.
    ///
    /// - Parameters:
    ///   - namespace: the namespace.
    ///   - start: the time that the clock shows if it has not started.
    ///   - destination: returns the time to move to, given the time that the clock shows; it may be called again. The
    ///     clock never moves back.
    /// - Returns: the time that the clock shows now, or the error of `destination`.
    /// - Throws: `StoreError`.
    func moveClock<Refusal: Error>(
        of namespace: Namespace,
        startingAt start: Timestamp,
        to destination: @escaping @Sendable (Timestamp) throws(Refusal) -> Timestamp
    ) async throws(StoreError) -> Result<Timestamp, Refusal>

    // MARK: Faults

    /// Adds a fault after the others, unless the namespace already has `FaultScript.capacity`; returns it if it did.
    func addFault(
        _ fault: SendFault,
        as id: FaultID,
        in namespace: Namespace
    ) async throws(StoreError) -> ScriptedFault?

    /// Returns the faults of a namespace, in the order they were added.
    func faults(in namespace: Namespace) async throws(StoreError) -> [ScriptedFault]

    /// Removes a fault; returns whether it existed.
    func removeFault(_ id: FaultID, in namespace: Namespace) async throws(StoreError) -> Bool

    /// Removes the faults of a namespace.
    func removeFaults(in namespace: Namespace) async throws(StoreError)

    /// Decides which fault a request gets, and uses it up by one request.
    ///
    /// - Parameters:
    ///   - token: the token of the request; its faults are in whichever namespace.
    ///   - namespace: the namespace of its device, whose faults for all devices apply, too.
    /// - Returns: the decision.
    /// - Throws: `StoreError`.
    func takeFault(for token: DeviceToken, in namespace: Namespace) async throws(StoreError) -> FaultDecision

    /// Returns the devices that have faults.
    func faultTargets() async throws(StoreError) -> FaultTargets
}

extension GatewayStore {
    /// No other gateway uses the store.
    package var isShared: Bool {
        false
    }

    /// Returns `nil`: the engine has its own tools.
    package func backup() async throws(StoreError) -> StoreBackup? {
        nil
    }

    /// Returns no other gateways.
    package func sendHeartbeat(from address: String?) async throws(StoreError) -> ClusterMembers {
        ClusterMembers()
    }

    /// Does nothing: no other gateway uses the store.
    package func catchUp() async throws(StoreError) {}

    /// Returns no sessions: no other gateway changes them, so nobody compares them.
    package func ownSessions() async throws(StoreError) -> [AgentID: SessionEpoch] {
        [:]
    }

    /// Does nothing: no other gateway changes the store.
    package func dropTransient(except ownedSequences: Set<Int>) async throws(StoreError) {}

    /// Returns 0: no other gateway has a stream.
    package func forward(_ acknowledgement: Acknowledgement, of agent: AgentID) async throws(StoreError) -> Int {
        0
    }

    /// Does nothing: no acknowledgement is forwarded.
    package func completeForwarded(_ forwarded: ForwardedAcknowledgement, removed count: Int?) {}

    /// Returns no size, for engines that do not know it.
    package func size() async throws(StoreError) -> Int? {
        nil
    }

    /// Stores a batch without delivering it to streams.
    package func append(_ batch: NewBatch, at now: Timestamp) async throws(StoreError) -> AppendOutcome {
        try await append(batch, at: now) { _ in }
    }
}
