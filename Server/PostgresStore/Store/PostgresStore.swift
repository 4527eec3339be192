package import GatewayStore
internal import Synchronization
package import WaypostSchema

/// The store in a PostgreSQL database, which several gateways can share.
///
/// A confirmed change is as durable as the server makes it. The changes of a handle go through `PostgresWriter`, one
/// after another. Changes of different handles run concurrently, and lock the rows that they use.
package final class PostgresStore: GatewayStore {
    let writer: PostgresWriter
    let readPool: PostgresConnectionPool
    let heartbeat: GatewayHeartbeat
    let eventBus: EventBus
    let handle: CurrentStoreHandle

    /// The work that `catchUp` does next.
    let catchUpWork = Mutex(CatchUpWork())

    /// The sequences of transient notifications whose read had an unknown outcome: the store may have marked them as
    /// read, but no stream got them.
    let unresolvedReads = Mutex<Set<Int>>([])

    /// The sequences of transient notifications that this gateway had read, but did not own, at the last call of
    /// `dropTransient`.
    let unclaimedTransients = Mutex<Set<Int>>([])

    /// The maximum number of sessions of ended gateways that are closed in one transaction.
    let maximumSessionsPerCleanUp: Int

    /// Whether the store keeps a log.
    let keepsLog: Bool

    /// The events that an accepted notification survives: a crash of the server's machine, if the server syncs commits.
    package let durability: Durability

    private init(
        _ connector: PostgresConnector,
        writer: PostgresWriter,
        eventBus: EventBus,
        handle: CurrentStoreHandle,
        _ tuning: PostgresTuning,
        durability: Durability
    ) {
        self.writer = writer
        readPool = PostgresConnectionPool(count: tuning.readerCount) { () throws(PostgresError) in
            try connector.connect()
        } onFailure: {
            connector.reportFailure($0)
        }
        heartbeat = GatewayHeartbeat(connector, responseTimeout: tuning.responseTimeout)
        self.eventBus = eventBus
        self.handle = handle
        maximumSessionsPerCleanUp = tuning.maximumSessionsPerCleanUp
        keepsLog = tuning.logRetention > 0
        self.durability = durability
    }

    /// Opens the store, and creates or updates its schema.
    ///
    /// Gateways whose connections have ended may have left sessions and transient notifications. The sessions are
    /// closed, and the notifications dropped.
    ///
    /// - Parameters:
    ///   - address: the address of the database.
    ///   - tuning: the limits.
    ///   - primary: another handle of the same gateway, whose sessions this handle shares; `nil` for a new gateway.
    ///   - onCommit: called with each transaction before the callers get their results.
    ///   - onFailure: called with the reason if a connection is lost or cannot be opened, or if the database has lost
    ///     confirmed changes.
    ///   - onNotice: called with each notice of the server, on any connection.
    /// - Returns: the store.
    /// - Throws: `PostgresOpeningError`; nothing has changed then.
    package static func open(
        _ address: PostgresAddress,
        tuning: PostgresTuning = PostgresTuning(),
        primary: PostgresStore? = nil,
        onCommit: @escaping @Sendable (CommitReport) -> Void = { _ in },
        onFailure: @escaping @Sendable (String) -> Void = { _ in },
        onNotice: @escaping @Sendable (PostgresNotice) -> Void = { _ in }
    ) throws(PostgresOpeningError) -> PostgresStore {
        do {
            let connector = PostgresConnector(address, onFailure: onFailure, onNotice: onNotice)
            try PostgresMigrations.run(on: try connector.connectToAnyDatabase(), at: address)
            let connection = try connector.connect()
            var handle = try StoreHandle.allocate(on: connection)
            let currentHandle = CurrentStoreHandle(handle)
            let eventBus = try EventBus(connector, handle: currentHandle)
            do {
                try handle.insert(on: connection, for: primary?.handle.value.gateway)
                currentHandle.set(handle)
                try handle.removeDisconnected(on: connection)
                eventBus.send(try Self.cleanUpAfterEndedGateways(connection, handle, tuning: tuning))
                let writer = PostgresWriter(
                    connector,
                    handle: currentHandle,
                    tuning,
                    onCommit: onCommit,
                    onEvents: eventBus.send,
                    onOwnEvent: eventBus.yield
                )
                return PostgresStore(
                    connector,
                    writer: writer,
                    eventBus: eventBus,
                    handle: currentHandle,
                    tuning,
                    durability: try Self.areCommitsDurable(on: connection) ? .fsync : .memory
                )
            } catch {
                eventBus.close()
                throw error
            }
        } catch let error as PostgresOpeningError {
            throw error
        } catch {
            throw PostgresOpeningError(error, database: address.description)
        }
    }

    /// Closes the sessions of ended gateways and drops their transient notifications; returns the events for others.
    private static func cleanUpAfterEndedGateways(
        _ connection: PostgresConnection,
        _ handle: StoreHandle,
        tuning: PostgresTuning
    ) throws -> [StoreEvent] {
        var events: [StoreEvent] = []
        var retryCount = 0
        while true {
            var transaction = PostgresTransaction(connection, handle: handle, logRetention: tuning.logRetention)
            do {
                try connection.send("BEGIN")
                let count = try transaction.cleanUpAfterEndedGateways(limit: tuning.maximumSessionsPerCleanUp)
                try transaction.writeTallies()
                _ = try connection.run("COMMIT")
                events += transaction.events
                guard count > 0 else { return events }
            } catch let error as PostgresError where error.isTransient && retryCount < tuning.maximumRetries {
                // Another gateway changed the same rows, and may have done this work.
                retryCount += 1
                _ = try connection.run("ROLLBACK")
            }
        }
    }

    /// Returns whether the server syncs each commit to its disk before it confirms the commit.
    private static func areCommitsDurable(on connection: PostgresConnection) throws(PostgresError) -> Bool {
        let disabledSettings = try connection.run(
            "SELECT 1 FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit') AND setting = 'off'"
        )
        return disabledSettings.count == 0
    }

    /// The changes by other gateways.
    package var events: AsyncStream<StoreEvent> {
        eventBus.events
    }

    /// Finishes the waiting changes and closes the connections; a store that is not closed keeps them and its threads.
    package func close() {
        heartbeat.close()
        writer.close()
        readPool.close()
        eventBus.close()
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
        try await writer.write(weight: 0) { _ in }
    }

    /// Makes a change.
    func write<Value: Sendable>(
        weight: Int = 1,
        on subjects: ChangeSubjects = ChangeSubjects(),
        _ work: @escaping @Sendable (inout PostgresTransaction) throws -> Value
    ) async throws(StoreError) -> Value {
        try await writer.write(weight: weight, on: subjects, work)
    }
}
