package import GatewayStore
internal import Synchronization
package import WaypostSchema

/// The store in a PostgreSQL database, which several gateways can share.
///
/// A confirmed change is as durable as the server makes it. Changes of a handle go through `PostgresWriter`, one after
/// another; those of different handles lock what they concern.
package final class PostgresStore: GatewayStore {
    let writer: PostgresWriter
    let readers: PostgresReaders
    let keeper: MemberKeeper
    let exchange: EventExchange
    let handle: CurrentStoreHandle

    /// The work for `catchUp`.
    let due = Mutex(DueWork())

    /// The transient notifications that a stream may have read, without getting them: the outcome was unknown.
    let uncertain = Mutex<Set<Int>>([])

    /// The transient notifications that `dropTransient` last found, which the gateway had read and did not have.
    let missing = Mutex<Set<Int>>([])

    /// The maximum number of sessions of ended gateways that are closed in one transaction.
    let departures: Int

    /// Whether the store keeps a log.
    let keepsLog: Bool

    /// The events that an accepted notification survives: a crash of the server's machine, unless it does not sync.
    package let durability: Durability

    private init(
        _ connector: PostgresConnector,
        writer: PostgresWriter,
        exchange: EventExchange,
        handle: CurrentStoreHandle,
        _ tuning: PostgresTuning,
        durability: Durability
    ) {
        self.writer = writer
        readers = PostgresReaders(count: tuning.readers) { () throws(PostgresError) in
            try connector.connect()
        } onFailure: {
            connector.note($0)
        }
        keeper = MemberKeeper(connector, answerLimit: tuning.answerLimit)
        self.exchange = exchange
        self.handle = handle
        departures = tuning.departures
        keepsLog = tuning.logRetention > 0
        self.durability = durability
    }

    deinit {
        close()
    }

    /// Opens the store, and creates or updates its schema.
    ///
    /// Gateways whose connections have ended may have left sessions and transient notifications. The sessions are
    /// closed, and the notifications dropped.
    ///
    /// - Parameters:
    ///   - address: the address of the database.
    ///   - tuning: the limits.
    ///   - gateway: the handle of the same gateway that has its sessions; `nil` for a gateway of its own.
    ///   - onCommit: called with each transaction before the callers get their results.
    ///   - onFailure: called with the reason if a connection is lost or cannot be opened, or confirmed changes are gone.
    /// - Returns: the store.
    /// - Throws: `PostgresOpeningError`; nothing has changed then.
    package static func open(
        _ address: PostgresAddress,
        tuning: PostgresTuning = PostgresTuning(),
        sharingSessionsWith gateway: PostgresStore? = nil,
        onCommit: @escaping @Sendable (CommitReport) -> Void = { _ in },
        onFailure: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(PostgresOpeningError) -> PostgresStore {
        do {
            let connector = PostgresConnector(address, onFailure: onFailure)
            try PostgresMigrations.run(on: try PostgresConnection(address), at: address)
            let connection = try connector.connect()
            var handle = try StoreHandle.draw(connection)
            let current = CurrentStoreHandle(handle)
            let exchange = try EventExchange(connector, handle: current)
            do {
                try handle.add(connection, to: gateway?.handle.value.gateway)
                current.set(handle)
                try handle.removeDisconnected(connection)
                exchange.send(try Self.settleDepartures(connection, handle, tuning: tuning))
                let writer = PostgresWriter(
                    connector,
                    handle: current,
                    tuning,
                    onCommit: onCommit,
                    onEvents: exchange.send,
                    onOwnEvent: exchange.yield
                )
                return PostgresStore(
                    connector,
                    writer: writer,
                    exchange: exchange,
                    handle: current,
                    tuning,
                    durability: try Self.syncs(connection) ? .fsync : .memory
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

    /// Settles what ended gateways have left; returns the events for others.
    private static func settleDepartures(
        _ connection: PostgresConnection,
        _ handle: StoreHandle,
        tuning: PostgresTuning
    ) throws -> [StoreEvent] {
        var events: [StoreEvent] = []
        var attempts = 0
        while true {
            var transaction = PostgresTransaction(connection, handle: handle, logRetention: tuning.logRetention)
            do {
                try connection.send("BEGIN")
                let count = try transaction.settleDepartures(limit: tuning.departures)
                try transaction.writeTallies()
                _ = try connection.run("COMMIT")
                events += transaction.events
                guard count > 0 else { return events }
            } catch let error as PostgresError where error.isTransient && attempts < tuning.attempts {
                // Another gateway was in the way, which may settle the same.
                attempts += 1
                _ = try connection.run("ROLLBACK")
            }
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
        keeper.close()
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
        on subjects: ChangeSubjects = ChangeSubjects(),
        _ work: @escaping @Sendable (inout PostgresTransaction) throws -> Value
    ) async throws(StoreError) -> Value {
        try await writer.perform(weight: weight, on: subjects, work)
    }
}
