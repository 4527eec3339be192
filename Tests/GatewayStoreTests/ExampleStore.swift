import GatewayStore
import PushRules
import Synchronization
import Testing
import WaypostSchema

/// A store with two agents: `home` has the devices `tablet` and `phone`, and `away` has the device `laptop`.
///
/// All devices have the topics `clowns`, `notes` and `waypost.messages`.
struct ExampleStore {
    static let topics: Set<Topic> = ["clowns", "notes", .messages]

    private let handles: StoreHandles
    let home: AgentID
    let away: AgentID

    /// The open sessions.
    let sessions = ExampleSessions()

    init(in store: any GatewayStore) async throws {
        try await self.init(in: StoreHandles([store]))
    }

    init(in handles: StoreHandles) async throws {
        self.handles = handles
        let store = handles.next
        home = try await store.join("tablet", .home)
        _ = try await store.join("phone", .home)
        away = try await store.join("laptop", .away)
    }

    /// Creates the example of `other` on another store that contains it.
    init(_ other: Self, in store: any GatewayStore) {
        handles = StoreHandles([store])
        home = other.home
        away = other.away
    }

    /// One of the handles on the store.
    var store: any GatewayStore {
        handles.next
    }

    /// Appends a batch without rejected items, which the store must accept.
    ///
    /// The agents `connected` have sessions then.
    @discardableResult
    func take(
        _ notifications: NewNotification...,
        as batch: BatchID = "batch",
        connected: Set<AgentID> = [],
        at now: Timestamp = .noon
    ) async throws -> AppendedBatch {
        try await connect(connected)
        return try await take(contentsOf: notifications, as: batch, at: now)
    }

    /// Appends a batch without rejected items, which the store must accept.
    @discardableResult
    func take(
        contentsOf notifications: [NewNotification],
        as batch: BatchID,
        at now: Timestamp
    ) async throws -> AppendedBatch {
        let batch = NewBatch(id: batch, notifications: notifications)
        return try #require(try await store.append(batch, at: now).appended)
    }

    /// Opens sessions of the agents that have none.
    func connect(_ agents: Set<AgentID>) async throws {
        for agent in agents where sessions[agent] == nil {
            guard let epoch = try await store.openSession(agent) else { throw NoSuchAgent(agent: agent) }
            sessions[agent] = epoch
        }
    }

    /// Closes an agent's session, which is opened first if there is none.
    @discardableResult
    func disconnect(_ agent: AgentID? = nil, at now: Timestamp = .noon) async throws -> StoreChanges {
        let agent = agent ?? home
        try await connect([agent])
        let epoch = try #require(sessions[agent])
        sessions[agent] = nil
        return try #require(try await store.closeSession(agent, epoch, at: now))
    }

    /// Changes a registered device.
    @discardableResult
    func change(
        _ token: DeviceToken,
        _ change: DeviceChange,
        at now: Timestamp = .noon
    ) async throws -> (device: RegisteredDevice, agent: AgentID, changes: StoreChanges) {
        let outcome = try await store.updateDevice(token, in: .standard, with: change, at: now)
        return try #require(outcome?.changed)
    }

    @discardableResult
    func setStorage(_ mode: StorageMode, for topic: Topic = "clowns") async throws -> StoreChanges {
        try await store.setStorage(mode, for: topic, in: .standard, at: .noon)
    }

    @discardableResult
    func expire(at seconds: Int) async throws -> StoreChanges {
        try await store.removeExpired(in: .standard, at: .seconds(seconds))
    }

    /// Acknowledges the notifications with these identifiers, which must be in an agent's inbox.
    @discardableResult
    func acknowledge(_ ids: NotificationID..., in agent: AgentID? = nil) async throws -> StoreChanges {
        let stored = try await store.stored(agent ?? home)
        let sequences = stored.filter { ids.contains($0.notification.id) }.map(\.sequence)
        try #require(sequences.count >= ids.count)
        return try await store.acknowledge(agent ?? home, sequences)
    }

    /// Returns the identifiers of the notifications that an agent can receive.
    func page(
        _ agent: AgentID? = nil,
        after cursor: Int = .min,
        limit: Int = .max,
        at now: Timestamp = .noon
    ) async throws -> [NotificationID] {
        try await store.readInbox(of: agent ?? home, after: cursor, limit: limit, at: now).map(\.notification.id)
    }

    /// Returns the identifiers of all notifications in an inbox that are not held back, even of expired ones.
    func inbox(_ agent: AgentID? = nil) async throws -> [NotificationID] {
        try await store.stored(agent ?? home).map(\.notification.id)
    }

    /// Returns the sequence of a notification in an agent's inbox.
    func sequence(of id: NotificationID, in agent: AgentID? = nil) async throws -> Int {
        try #require(try await store.stored(agent ?? home).first { $0.notification.id == id }).sequence
    }

    /// Returns how many notifications of a batch are in each state.
    func states(of batch: BatchID = "batch") async throws -> [DeliveryState: Int]? {
        try await store.batch(batch, in: .standard)?.counts.states
    }

    /// Returns the reason for which a notification would be refused, without storing it.
    func refusal(_ token: DeviceToken, _ topic: Topic = "clowns") async throws -> StoreRefusal? {
        let question = NewNotification.example("question", to: token, for: topic)
        let batch = NewBatch(id: "question", notifications: [question], rejected: 1, isAtomic: true)
        let outcome = try await store.append(batch, at: .noon)
        return try #require(outcome.refusals?.first)
    }
}

extension StoreEngine {
    /// Runs `body` on an example with the storage mode `storage` for `clowns`.
    func runExample<Value>(
        storage: StorageMode? = nil,
        logRetention: Int = Retention.logLifetime,
        _ body: (ExampleStore) async throws -> Value
    ) async throws -> Value {
        let session = try await StoreSession(self, logRetention: logRetention)
        let example = try await ExampleStore(in: session.handles)
        if let storage { try await example.setStorage(storage) }
        let value = try await body(example)
        try session.close()
        return value
    }
}

extension GatewayStore {
    /// Registers a device with the agent that has `digest`, or with a new agent if there is none.
    func join(
        _ token: DeviceToken,
        _ digest: SecretDigest,
        topics: Set<Topic> = ExampleStore.topics,
        in namespace: Namespace = .standard,
        at now: Timestamp = .dawn
    ) async throws -> AgentID {
        let device = NewDevice(token: token, name: "", topics: topics, digest: digest, joins: false)
        return try #require(try await register(device, in: namespace, at: now).registered).agent
    }

    /// Returns all notifications in an agent's inbox that are not held back, even expired ones.
    func stored(_ agent: AgentID) async throws -> [StoredNotification] {
        try await readInbox(of: agent, after: .min, limit: .max, at: .beginning)
    }
}

/// A test wants to connect an agent that does not exist.
struct NoSuchAgent: Error {
    let agent: AgentID
}

/// The sessions that an example has opened in its store.
final class ExampleSessions: Sendable {
    private let epochs = Mutex<[AgentID: SessionEpoch]>([:])

    /// The session of an agent.
    subscript(agent: AgentID) -> SessionEpoch? {
        get { epochs.withLock { $0[agent] } }
        set { epochs.withLock { $0[agent] = newValue } }
    }
}
