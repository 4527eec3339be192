import GatewayStore
import WaypostSchema

extension NewNotification {
    /// A notification to a device of `GatewayRecords.example`.
    static func example(
        _ id: NotificationID,
        to token: DeviceToken = "tablet",
        for topic: Topic = "clowns",
        expiration: Int? = nil,
        collapseID: CollapseIdentifier? = nil
    ) -> NewNotification {
        NewNotification(
            id: id,
            token: token,
            topic: topic,
            expiration: expiration,
            collapseID: collapseID,
            payload: Array(#"{"about":"\#(id)"}"#.utf8)
        )
    }
}

extension Timestamp {
    /// When things happen unless a test says otherwise.
    static let noon = Timestamp(milliseconds: 100_000)

    /// Before anything expires.
    static let dawn = Timestamp(milliseconds: 0)
}

extension GatewayRecords {
    /// The agent `home` with the devices `tablet` and `phone`, and the agent `away` with the device `laptop`; all of
    /// them take `clowns` and `notes`.
    static let example = {
        var records = GatewayRecords()
        records.register("tablet", topics: ["clowns", "notes"], secret: "home")
        records.register("phone", topics: ["clowns", "notes"], secret: "home")
        records.register("laptop", topics: ["clowns", "notes"], secret: "away")
        return records
    }()

    /// Appends a batch that nothing of was rejected before.
    @discardableResult
    mutating func take(
        _ notifications: NewNotification...,
        as batch: BatchID = "batch",
        connected: Set<AgentSecret> = [],
        at now: Timestamp = .noon
    ) -> Changes {
        append(notifications, batch: batch, rejected: 0, isConnected: connected.contains, at: now).changes
    }

    /// Returns everything in an agent's inbox, and lets nothing expire.
    func stored(_ agent: AgentSecret) -> [StoredNotification] {
        var copy = self
        return copy.read(agent, after: .min, limit: .max, at: .dawn).page
    }

    /// Returns the identifiers of everything in an agent's inbox.
    func inbox(_ agent: AgentSecret) -> [NotificationID] {
        stored(agent).map(\.notification.id)
    }

    /// Returns the sequence of what is in an agent's inbox.
    func sequence(of id: NotificationID, in agent: AgentSecret = "home") -> Int? {
        stored(agent).first { $0.notification.id == id }?.sequence
    }

    /// Returns how many items of a batch are in each state, and lets nothing expire.
    func states(of batch: BatchID = "batch") -> [DeliveryState: Int]? {
        var copy = self
        return copy.status(of: batch, at: .dawn)?.states
    }
}

extension GatewayRecords.Changes {
    init(agents: Set<AgentSecret> = [], batches: Set<BatchID> = []) {
        self.init()
        self.agents = agents
        self.batches = batches
    }
}

extension GatewayRecords {
    /// Returns what has become of a batch at `now`.
    mutating func status(of batch: BatchID, at now: Timestamp) -> BatchStatus? {
        _ = expire(inboxesOf: batch, at: now)
        return status(of: batch)
    }
}
