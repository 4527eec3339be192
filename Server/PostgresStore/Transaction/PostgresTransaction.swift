internal import GatewayStore
internal import PushRules
internal import WaypostSchema

/// A transaction of the writer: the connection, the counts to write, and the events for other gateways.
///
/// All changes to the database are its methods; each file covers one subject. They lock rows in one order: a namespace,
/// then its agents by number, then the rest. So the first lock decides which change waits, and the data that a change
/// reads after it stays the same until the commit.
struct PostgresTransaction {
    /// The writer's connection.
    let connection: PostgresConnection

    /// The handle that makes the changes.
    let handle: StoreHandle

    /// The seconds for which the log keeps notifications that have ended; 0 keeps no log.
    let logRetention: Int

    /// The events for other gateways, to send once the transaction is committed.
    private(set) var events: [StoreEvent] = []

    private var tallies: [Int: [DeliveryState: Int]] = [:]

    /// Creates a transaction on a connection.
    init(_ connection: PostgresConnection, handle: StoreHandle, logRetention: Int) {
        self.connection = connection
        self.handle = handle
        self.logRetention = logRetention
    }

    /// Whether a log is kept.
    var keepsLog: Bool {
        logRetention > 0
    }

    /// Adds an event for other gateways.
    mutating func enqueue(_ event: StoreEvent) {
        events.append(event)
    }

    /// Adds an event about changes, and returns them.
    mutating func enqueue(_ changes: StoreChanges, in namespace: Namespace) -> StoreChanges {
        if changes != StoreChanges() { enqueue(.changed(changes, in: namespace)) }
        return changes
    }

    /// Adds to the counts of a batch the notifications that it put into each state.
    mutating func recordCounts(_ counts: [DeliveryState: Int], of batch: Int) {
        tallies[batch, default: [:]].merge(counts, uniquingKeysWith: +)
    }

    /// Counts a notification of a batch that went from the state `previous` to `state`.
    mutating func recordState(_ state: DeliveryState, replacing previous: DeliveryState, of batch: Int) {
        tallies[batch, default: [:]][state, default: 0] += 1
        tallies[batch, default: [:]][previous, default: 0] -= 1
    }

    /// Sends the collected counts, before statements that read or delete batches.
    ///
    /// Each handle has its own rows for counts, so no other handle waits for them.
    mutating func writeTallies() throws {
        guard !tallies.isEmpty else { return }
        let tallies = tallies.sorted { $0.key < $1.key }
        let counts = DeliveryState.counted.map { state in
            PostgresValue.integers(tallies.map { $0.value[state] ?? 0 })
        }
        try connection.send(Self.tallySQL, [.integer(handle.number), .integers(tallies.map(\.key))] + counts)
        self.tallies.removeAll(keepingCapacity: true)
    }

    private static let tallySQL = {
        let columns = DeliveryState.counted.map(\.rawValue)
        let arrays = (0...columns.count).map { "$\($0 + 2)::bigint[]" }
        return """
            INSERT INTO tally (lane, batch, \(columns.joined(separator: ", ")))
            SELECT $1::bigint, * FROM unnest(\(arrays.joined(separator: ", ")))
            ON CONFLICT (batch, lane) DO UPDATE SET
                \(columns.map { "\($0) = tally.\($0) + excluded.\($0)" }.joined(separator: ", "))
            """
    }()
}

/// Namespaces.
extension PostgresTransaction {
    /// Returns a namespace's number, and locks it until the end of the transaction; `nil` if the namespace is empty.
    func namespaceID(of namespace: Namespace) throws -> Int? {
        try connection.run(Self.namespaceSQL, [.text(namespace.databaseText)]).rows.first?.integer(0)
    }

    /// Returns a namespace's number, and creates it if the namespace is empty.
    func findOrCreateNamespaceID(of namespace: Namespace) throws -> Int {
        while true {
            if let number = try namespaceID(of: namespace) { return number }
            try connection.send(
                "INSERT INTO namespace (name) VALUES ($1) ON CONFLICT DO NOTHING",
                [.text(namespace.databaseText)]
            )
        }
    }

    /// The statement that finds a namespace, and keeps others from resetting it.
    static let namespaceSQL = "SELECT number FROM namespace WHERE name = $1 FOR KEY SHARE"

    /// Deletes everything in a namespace; returns its agents.
    mutating func reset(_ namespace: Namespace) throws -> Set<AgentID> {
        let result = try connection.run(
            "SELECT number FROM namespace WHERE name = $1 FOR UPDATE",
            [.text(namespace.databaseText)]
        )
        for table in ["pending", "fault"] {
            try connection.send("DELETE FROM \(table) WHERE namespace = $1", [.text(namespace.databaseText)])
        }
        enqueue(.reset(namespace))
        guard let number = result.rows.first?.integer(0) else { return [] }
        let agents = try connection.run("SELECT number FROM agent WHERE namespace = $1", [.integer(number)]).rows
            .map { AgentID(namespace: namespace, number: $0.integer(0)) }
        try writeTallies()
        try connection.send(
            "DELETE FROM tally USING batch WHERE batch.number = tally.batch AND batch.namespace = $1",
            [.integer(number)]
        )
        for table in Self.namespaceTables {
            try connection.send("DELETE FROM \(table) WHERE namespace = $1", [.integer(number)])
        }
        try connection.send("DELETE FROM namespace WHERE number = $1", [.integer(number)])
        return Set(agents)
    }

    private static let namespaceTables = [
        "log", "log_batch", "item", "flight", "idempotency", "batch", "app", "device", "session", "agent",
        "provider_key", "channel", "subscription",
    ]
}
