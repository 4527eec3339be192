package import GatewayStore
package import WaypostSchema

/// The store in a PostgreSQL database, which several gateways can share.
///
/// A confirmed change is as durable as the server makes it. Changes of a handle go through `PostgresWriter`, one after
/// another; those of different handles lock what they concern.
package final class PostgresStore: GatewayStore {
    let writer: PostgresWriter
    let readers: PostgresReaders
    let lane: Lane

    private let exchange: EventExchange

    /// Whether the store keeps a log.
    let keepsLog: Bool

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
    /// Gateways that have ended may have left sessions and transient notifications. The sessions are closed, and the
    /// notifications dropped.
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
            do {
                guard try isShared || Lane.waitUntilAlone(connection, lane) else {
                    throw PostgresOpeningError.inUse(database: address.description)
                }
                exchange.send(try Lane.settleOthers(connection, lane, logRetention: tuning.logRetention))
                return PostgresStore(
                    writer: PostgresWriter(
                        connector,
                        lane: lane,
                        tuning,
                        onCommit: onCommit,
                        // A gateway that is alone has nobody to notify.
                        onEvents: { if isShared { exchange.send($0) } },
                        onExpulsion: { exchange.yield(.gap) }
                    ),
                    readers: PostgresReaders(connector, count: tuning.readers),
                    exchange: exchange,
                    lane: lane,
                    durability: try Self.syncs(connection) ? .fsync : .memory,
                    keepsLog: tuning.logRetention > 0
                )
            } catch {
                exchange.close()
                throw error
            }
        } catch let error as PostgresOpeningError {
            throw error
        } catch {
            throw .failed(database: address.description, reason: (error as? PostgresError)?.reason ?? "\(error)")
        }
    }

    /// Whether a commit is on the server's disk when it returns.
    private static func syncs(_ connection: PostgresConnection) throws(PostgresError) -> Bool {
        let off = try connection.run(
            "SELECT 1 FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit') AND setting = 'off'"
        )
        return off.count == 0
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
