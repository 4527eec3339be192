package import Delivery
internal import Foundation
package import GatewayStore
internal import JSONScanning
internal import Synchronization
package import WaypostSchema

/// The tuning of a `PostgresStore`; tests choose other values.
package struct PostgresTuning: Sendable {
    /// The maximum number of items in one transaction, unless a single change has more.
    package var itemsInCommit = 5_000

    /// The maximum number of items that wait; more are refused.
    package var itemsInQueue = 200_000

    /// The number of connections for queries.
    package var readers = 4

    /// The time after which the server ends a transaction whose gateway has stopped in the middle of it.
    package var idleLimit = Duration.seconds(2)

    /// How often a transaction is made again if another one was in the way.
    package var attempts = 20

    /// The seconds for which the log keeps notifications that have ended; 0 keeps no log.
    package var logRetention = Retention.log

    /// Creates the values of a gateway.
    package init() {}
}

/// The store in a PostgreSQL database, which several gateways can share.
///
/// A confirmed change is as durable as the server makes it. Changes of a handle go through `PostgresWriter`, one after
/// another; those of different handles lock what they concern.
package final class PostgresStore: GatewayStore {
    let writer: PostgresWriter
    let readers: PostgresReaders
    let lane: Lane

    private let exchange: EventExchange
    private let keepsLog: Bool

    /// The events that an accepted notification survives: a crash of the server's machine, unless it does not sync.
    package let durability: Durability

    private init(
        writer: PostgresWriter,
        readers: PostgresReaders,
        exchange: EventExchange,
        lane: Lane,
        durability: Durability,
        keepsLog: Bool
    ) {
        self.writer = writer
        self.readers = readers
        self.exchange = exchange
        self.lane = lane
        self.durability = durability
        self.keepsLog = keepsLog
    }

    deinit {
        close()
    }

    /// Opens the store, and creates or updates its schema.
    ///
    /// What gateways that no longer exist have left is settled: their transient notifications are dropped, and their
    /// sessions closed.
    ///
    /// - Parameters:
    ///   - address: the address of the database.
    ///   - tuning: the limits.
    ///   - isShared: whether other gateways may use the database, too.
    ///   - gateway: the handle of the same gateway that has its sessions; `nil` for a gateway of its own.
    ///   - onCommit: called with each transaction before the callers get their results.
    ///   - onFailure: called with the reason if a connection is lost or cannot be opened.
    /// - Returns: the store.
    /// - Throws: `PostgresOpeningError`; nothing has changed then.
    package static func open(
        _ address: PostgresAddress,
        tuning: PostgresTuning = PostgresTuning(),
        isShared: Bool = true,
        sharingSessionsWith gateway: PostgresStore? = nil,
        onCommit: @escaping @Sendable (CommitReport) -> Void = { _ in },
        onFailure: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(PostgresOpeningError) -> PostgresStore {
        do {
            let connector = PostgresConnector(address, onFailure: onFailure)
            let connection = try PostgresConnection(address)
            try PostgresMigrations.run(on: connection, at: address)
            let lane = try Lane.add(connection, to: gateway?.lane.gateway)
            let exchange = try EventExchange(connector, lane: lane)
            guard try isShared || Lane.waitUntilAlone(connection, lane) else {
                exchange.close()
                throw PostgresOpeningError.inUse(database: address.description)
            }
            exchange.send(try Lane.settleOthers(connection, lane, logRetention: tuning.logRetention))
            let syncs = try connection.run("SELECT setting FROM pg_settings WHERE name = 'fsync'").rows
                .map { $0.text(0) }
            return PostgresStore(
                writer: PostgresWriter(
                    connector,
                    lane: lane,
                    tuning,
                    onCommit: onCommit,
                    onEvents: { exchange.send($0) },
                    onExpulsion: { exchange.yield(.gap) }
                ),
                readers: PostgresReaders(connector, count: tuning.readers),
                exchange: exchange,
                lane: lane,
                durability: syncs == ["on"] ? .fsync : .memory,
                keepsLog: tuning.logRetention > 0
            )
        } catch let error as PostgresOpeningError {
            throw error
        } catch let error as PostgresError {
            throw .failed(database: address.description, reason: error.reason)
        } catch {
            throw .failed(database: address.description, reason: "\(error)")
        }
    }

    /// The changes by other gateways.
    package var events: AsyncStream<StoreEvent> {
        exchange.events
    }

    /// Finishes the waiting changes and closes the connections.
    package func close() {
        writer.close()
        readers.close()
        exchange.close()
    }

    /// Always true: the store has no files on this machine.
    package var isInPlace: Bool {
        true
    }

    /// The number of items that wait to be written.
    package var waitingItems: Int {
        writer.waitingItems
    }

    /// Makes a commit that changes only the count of commits.
    package func probe() async throws(StoreError) {
        try await writer.perform(weight: 0) { _ in }
    }

    /// Makes a change.
    func perform<Value: Sendable>(
        weight: Int = 1,
        _ work: @escaping @Sendable (inout PostgresTransaction) throws -> Value
    ) async throws(StoreError) -> Value {
        try await writer.perform(weight: weight, work)
    }
}

extension PostgresError {
    /// The reason, for people.
    var reason: String {
        switch self {
        case .disconnected(let reason): reason
        case .refused(let code, let message): "\(message) (\(code))"
        }
    }
}

/// Registrations.
extension PostgresStore {
    /// Registers a device.
    package func register(
        _ device: NewDevice,
        in namespace: Namespace,
        at now: Timestamp
    ) async throws(StoreError) -> RegistrationOutcome {
        try await perform { try $0.registerLocked(device, in: namespace, at: now) }
    }

    /// Changes a device.
    package func change(
        _ token: DeviceToken,
        in namespace: Namespace,
        _ change: DeviceChange,
        at now: Timestamp
    ) async throws(StoreError) -> DeviceChangeOutcome? {
        try await perform { try $0.changeLocked(token, in: namespace, change, at: now) }
    }

    /// Returns the device with `token`.
    package func device(_ token: DeviceToken, in namespace: Namespace) async throws(StoreError) -> RegisteredDevice? {
        try await readers.read { connection in
            try connection.run(
                """
                SELECT \(KnownDevice.columns) FROM device
                WHERE namespace = (SELECT number FROM namespace WHERE namespace.name = $1) AND token = $2
                """,
                [.text(namespace.stored), .text(token.stored)]
            ).rows.map { try KnownDevice(row: $0).registered(as: token) }.first
        }
    }

    /// Returns the namespaces with devices for `tokens`.
    package func namespaces(of tokens: Set<DeviceToken>) async throws(StoreError) -> [DeviceToken: Namespace] {
        guard !tokens.isEmpty else { return [:] }
        return try await readers.read { connection in
            let rows: [(DeviceToken, Namespace)] = try connection.run(
                """
                SELECT device.token, namespace.name FROM device
                JOIN namespace ON namespace.number = device.namespace
                WHERE device.token = ANY ($1)
                ORDER BY device.standing = 'active', device.since, device.number
                """,
                [.texts(tokens.map(\.stored))]
            ).rows.map { (DeviceToken(stored: $0.text(0)), Namespace(stored: $0.text(1))) }
            return Dictionary(rows) { $1 }
        }
    }

    /// Returns the agent whose secret has the digest `digest`.
    package func agent(with digest: SecretDigest) async throws(StoreError) -> AgentID? {
        try await readers.read { connection in
            // Secrets are random, so two namespaces never share one; if they did, the older agent would be the result.
            try connection.run(
                """
                SELECT namespace.name, agent.number, agent.digest FROM agent
                JOIN namespace ON namespace.number = agent.namespace
                WHERE agent.digest = $1 ORDER BY agent.number LIMIT 1
                """,
                [.bytes(digest.bytes)]
            ).rows.compactMap { row -> AgentID? in
                // The index does not compare in constant time, but this comparison does.
                guard SecretDigest(bytes: row.optionalBytes(2) ?? []) == digest else { return nil }
                return AgentID(namespace: Namespace(stored: row.text(0)), number: row.integer(1))
            }.first
        }
    }

    /// Sets the storage mode of an app.
    package func setStorage(
        _ mode: StorageMode,
        for topic: Topic,
        in namespace: Namespace,
        at now: Timestamp
    ) async throws(StoreError) -> StoreChanges {
        try await perform { try $0.setStorage(mode, for: topic, in: namespace, at: now) }
    }

    /// Returns the apps with a storage mode that was set.
    package func apps(in namespace: Namespace) async throws(StoreError) -> [AppSettings] {
        try await readers.read { connection in
            try connection.run(
                "SELECT topic, storage FROM app WHERE namespace = (SELECT number FROM namespace WHERE name = $1)",
                [.text(namespace.stored)]
            ).rows.map { AppSettings(topic: Topic(stored: $0.text(0)), storage: try StoredChoice.read($0.text(1))) }
                .sorted { $0.topic.rawValue < $1.topic.rawValue }
        }
    }
}

/// Batches, sessions and inboxes.
extension PostgresStore {
    /// Stores a batch.
    package func append(
        _ batch: NewBatch,
        at now: Timestamp,
        handOver: @escaping @Sendable (Appended) -> Void
    ) async throws(StoreError) -> AppendOutcome {
        try await writer.perform(weight: max(1, batch.notifications.count)) {
            try $0.append(batch, at: now)
        } then: { outcome in
            if case .appended(let appended) = outcome { handOver(appended) }
        }
    }

    /// Returns the current data of a batch.
    package func batch(_ id: BatchID, in namespace: Namespace) async throws(StoreError) -> BatchRecord? {
        try await readers.read { try BatchRecord.fetch($0, id, in: namespace) }
    }

    /// Returns the batch that was sent with `key` in the last 24 hours.
    package func batch(
        with key: String,
        in namespace: Namespace,
        at now: Timestamp
    ) async throws(StoreError) -> KeyedBatch? {
        try await readers.read { try KeyedBatch.fetch($0, with: key, in: namespace, at: now) }
    }

    /// Opens the session of an agent's stream.
    package func openSession(_ agent: AgentID) async throws(StoreError) -> SessionEpoch? {
        // A device that connects need not wait until there is room for more items.
        try await perform(weight: 0) { try $0.openSession(agent) }
    }

    /// Closes a session, if it is the agent's current one.
    package func closeSession(
        _ agent: AgentID,
        _ epoch: SessionEpoch,
        attempts: [Int: DeliveryAttempts],
        ends: [TransientEnd],
        at now: Timestamp
    ) async throws(StoreError) -> StoreChanges? {
        try await perform(weight: max(1, attempts.count + ends.count)) {
            try $0.closeSession(agent, epoch, attempts: attempts, ends: ends, at: now)
        }
    }

    /// Returns the epochs of the current sessions.
    package func currentSessions(of agents: Set<AgentID>) async throws(StoreError) -> [AgentID: SessionEpoch] {
        let byNumber = Dictionary(agents.map { ($0.number, $0) }) { $1 }
        return try await readers.read { connection in
            let rows = try connection.run(
                "SELECT agent, epoch FROM session WHERE agent = ANY ($1)",
                [.integers(Array(byNumber.keys))]
            ).rows
            let epochs = rows.compactMap { row in
                byNumber[row.integer(0)].map { ($0, SessionEpoch(rawValue: row.integer(1))) }
            }
            return Dictionary(epochs) { $1 }
        }
    }

    /// Returns a page of an agent's inbox.
    package func read(
        _ agent: AgentID,
        after cursor: Int,
        limit: Int,
        at now: Timestamp
    ) async throws(StoreError) -> [StoredNotification] {
        guard limit > 0 else { return [] }
        let (stored, unread) = try await readers.read { connection in
            (
                try StoredNotification.fetchPage(connection, of: agent, after: cursor, limit: limit, at: now),
                try PostgresTransaction.unread(connection, of: agent)
            )
        }
        guard !unread.isEmpty else { return stored }
        let page = (stored + unread).sorted { $0.sequence < $1.sequence }.prefix(limit)
        let mine = Set(unread.map(\.sequence)).intersection(page.map(\.sequence))
        let taken = try await perform { try $0.takeUnread(Array(mine)) }
        return page.filter { !mine.contains($0.sequence) || taken.contains($0.sequence) }
    }

    /// Removes acknowledged notifications from inboxes.
    package func acknowledge(_ acknowledgements: [AgentAcknowledgement]) async throws(StoreError) -> StoreChanges {
        let weight = acknowledgements.reduce(0) { $0 + $1.notifications.count }
        guard weight > 0 else { return StoreChanges() }
        return try await perform(weight: weight) { transaction in
            let changes = try transaction.acknowledge(acknowledgements)
            for (namespace, removals) in Dictionary(grouping: changes.removals, by: \.agent.namespace) {
                _ = transaction.notify(StoreChanges(removals: removals), in: namespace)
            }
            return changes
        }
    }

    /// Counts transient notifications in their final states.
    package func settle(_ ends: [TransientEnd]) async throws(StoreError) {
        guard !ends.isEmpty else { return }
        try await perform { try $0.settle(ends) }
    }

    /// Removes expired notifications from a namespace's inboxes, and deletes old keys, batches and log entries.
    ///
    /// Each transaction handles a bounded part.
    package func expire(_ namespace: Namespace, at now: Timestamp) async throws(StoreError) -> StoreChanges {
        var sweep = PostgresTransaction.Sweep(isPartial: true)
        while sweep.isPartial {
            do {
                let part = try await perform { try $0.expire(namespace, at: now) }
                sweep.changes.append(part.changes)
                sweep.isPartial = part.isPartial
            } catch {
                // The finished parts are reported; the next sweep does the rest.
                guard sweep.changes.removals.isEmpty else { return sweep.changes }
                throw error
            }
        }
        return sweep.changes
    }
}

/// The delivery log.
extension PostgresStore {
    /// Returns a part of the log.
    package func log(_ query: LogQuery, in namespace: Namespace) async throws(StoreError) -> [LogEntry] {
        guard keepsLog else { return [] }
        return try await readers.read { try query.fetch($0, in: namespace) }
    }

    /// Returns the log entries at `sequences`.
    package func log(at sequences: [Int], in namespace: Namespace) async throws(StoreError) -> [LogEntry] {
        guard keepsLog, !sequences.isEmpty else { return [] }
        return try await readers.read { try LogEntry.fetchAll($0, at: sequences, in: namespace) }
    }

    /// Returns the newest log entry of the notification with the identifier `id`.
    package func log(of id: NotificationID, in namespace: Namespace) async throws(StoreError) -> LogEntry? {
        guard keepsLog else { return nil }
        return try await readers.read { try LogEntry.fetch($0, of: id, in: namespace) }
    }

    /// Adds the times and the number of sends to the log entries of notifications.
    package func note(_ attempts: [Int: DeliveryAttempts], in namespace: Namespace) async throws(StoreError) {
        guard keepsLog, !attempts.isEmpty else { return }
        try await perform(weight: attempts.count) { try $0.note(attempts, in: namespace) }
    }
}

/// Namespaces and their clocks.
extension PostgresStore {
    /// Returns every namespace that contains anything.
    ///
    /// The age of the oldest notification is that of the first batch with stored notifications.
    package func namespaces() async throws(StoreError) -> [NamespaceSummary] {
        try await readers.read { connection in
            try connection.run(
                """
                SELECT home.name, (SELECT count(*) FROM device WHERE namespace = home.number),
                    (SELECT count(*) FROM item WHERE namespace = home.number),
                    (SELECT created FROM batch WHERE number =
                        (SELECT min(item.batch) FROM item WHERE namespace = home.number))
                FROM namespace AS home
                """
            ).rows.map {
                NamespaceSummary(
                    name: Namespace(stored: $0.text(0)),
                    devices: $0.integer(1),
                    stored: $0.integer(2),
                    oldest: $0.optionalInteger(3).map(Timestamp.init(milliseconds:))
                )
            }.sorted { $0.name.rawValue < $1.name.rawValue }
        }
    }

    /// Deletes everything in a namespace.
    package func reset(_ namespace: Namespace) async throws(StoreError) -> Set<AgentID> {
        try await perform { try $0.reset(namespace) }
    }

    /// Returns the time of a namespace's manual clock.
    package func clock(of namespace: Namespace) async throws(StoreError) -> Timestamp? {
        try await readers.read { connection in
            try connection.run("SELECT clock FROM namespace WHERE name = $1", [.text(namespace.stored)]).rows
                .compactMap { $0.optionalInteger(0).map(Timestamp.init(milliseconds:)) }.first
        }
    }

    /// Moves a namespace's manual clock forward.
    package func moveClock<Refusal: Error>(
        of namespace: Namespace,
        from start: Timestamp,
        _ destination: @escaping @Sendable (Timestamp) throws(Refusal) -> Timestamp
    ) async throws(StoreError) -> Result<Timestamp, Refusal> {
        try await perform { transaction in
            let clocks = try transaction.connection.run(
                "SELECT clock FROM namespace WHERE name = $1 FOR NO KEY UPDATE",
                [.text(namespace.stored)]
            ).rows.map { $0.optionalInteger(0) }
            let clock = clocks.first.flatMap(\.self)
            let present = clock.map(Timestamp.init(milliseconds:)) ?? start
            let now = Result { () throws(Refusal) in max(try destination(present), present) }
            guard case .success(let now) = now else { return now }
            let moved = try transaction.connection.run(
                "UPDATE namespace SET clock = $2 WHERE number = $1 AND clock IS NOT DISTINCT FROM $3",
                [.integer(try transaction.makeNumber(of: namespace)), .integer(now.rawValue), .integer(clock)]
            )
            // Another gateway may have created the namespace in the meantime.
            guard moved.changedCount == 1 else { throw PostgresError.again("the clock was moved") }
            transaction.notify(.clockMoved(namespace))
            return .success(now)
        }
    }
}
