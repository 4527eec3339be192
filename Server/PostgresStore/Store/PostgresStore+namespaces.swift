package import GatewayStore
package import WaypostSchema

/// Namespaces and their clocks.
extension PostgresStore {
    /// Returns the size of the database in bytes.
    package func size() async throws(StoreError) -> Int? {
        try await readPool.withConnection { connection in
            try connection.run("SELECT pg_database_size(current_database())").rows.first?.integer(0)
        }
    }

    /// Returns every namespace that contains anything.
    ///
    /// The age of the oldest notification is that of the first batch with stored notifications.
    package func namespaces() async throws(StoreError) -> [NamespaceSummary] {
        try await readPool.withConnection { connection in
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
                    name: Namespace(databaseText: $0.text(0)),
                    devices: $0.integer(1),
                    stored: $0.integer(2),
                    oldest: $0.optionalInteger(3).map(Timestamp.init(milliseconds:))
                )
            }.sorted { $0.name.rawValue < $1.name.rawValue }
        }
    }

    /// Deletes everything in a namespace, and returns its agents.
    package func reset(_ namespace: Namespace) async throws(StoreError) -> Set<AgentID> {
        try await write { try $0.reset(namespace) }
    }

    /// Returns the time of a namespace's manual clock.
    package func clock(of namespace: Namespace) async throws(StoreError) -> Timestamp? {
        try await readPool.withConnection { try Self.clock(of: namespace, $0) }
    }

    private static func clock(of namespace: Namespace, _ connection: PostgresConnection) throws -> Timestamp? {
        try connection.run("SELECT clock FROM namespace WHERE name = $1", [.text(namespace.databaseText)]).rows
            .compactMap { $0.optionalInteger(0).map(Timestamp.init(milliseconds:)) }.first
    }

    /// Starts the manual clock of a namespace, if the namespace exists and the clock has not started.
    package func startClock(of namespace: Namespace, at start: Timestamp) async throws(StoreError) -> Timestamp? {
        try await write { transaction in
            let update = try transaction.connection.run(
                "UPDATE namespace SET clock = $2 WHERE name = $1 AND clock IS NULL",
                [.text(namespace.databaseText), .integer(start.rawValue)]
            )
            if update.changedCount == 1 { transaction.enqueue(.clockMoved(namespace)) }
            return try Self.clock(of: namespace, transaction.connection)
        }
    }

    /// Moves a namespace's manual clock forward.
    package func moveClock<Refusal: Error>(
        of namespace: Namespace,
        startingAt start: Timestamp,
        to destination: @escaping @Sendable (Timestamp) throws(Refusal) -> Timestamp
    ) async throws(StoreError) -> Result<Timestamp, Refusal> {
        try await write { transaction in
            let clocks = try transaction.connection.run(
                "SELECT clock FROM namespace WHERE name = $1 FOR NO KEY UPDATE",
                [.text(namespace.databaseText)]
            ).rows.map { $0.optionalInteger(0) }
            let clock = clocks.first.flatMap(\.self)
            let currentTime = clock.map(Timestamp.init(milliseconds:)) ?? start
            let now = Result { () throws(Refusal) in max(try destination(currentTime), currentTime) }
            guard case .success(let now) = now else { return now }
            let update = try transaction.connection.run(
                "UPDATE namespace SET clock = $2 WHERE number = $1 AND clock IS NOT DISTINCT FROM $3",
                [
                    .integer(try transaction.findOrCreateNamespaceID(of: namespace)), .integer(now.rawValue),
                    .integer(clock),
                ]
            )
            // Another gateway may have created the namespace in the meantime.
            guard update.changedCount == 1 else { throw PostgresError.conflict("the clock was moved") }
            transaction.enqueue(.clockMoved(namespace))
            return .success(now)
        }
    }
}
