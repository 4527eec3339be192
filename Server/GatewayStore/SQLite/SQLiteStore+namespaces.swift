internal import Foundation
internal import GRDB
internal import JSONScanning
internal import Synchronization
package import WaypostSchema

extension SQLiteStore {
    /// Returns every namespace that contains anything.
    ///
    /// The age of the oldest notification is that of the first batch with stored notifications.
    package func namespaces() async throws(StoreError) -> [NamespaceSummary] {
        try await read(NamespaceSummary.fetchAll).sorted { $0.name.rawValue < $1.name.rawValue }
    }

    /// Deletes everything in a namespace, and returns its agents.
    package func reset(_ namespace: Namespace) async throws(StoreError) -> Set<AgentID> {
        try await write {
            try $0.reset(namespace)
        } then: { [self] _ in
            // Before a later change is answered, which may add something for a new device.
            agentCache.withLock { $0.invalidate(namespace) }
            pendingBatches.withLock { $0.removeAll(in: namespace) }
            faultScript.withLock { $0.removeAll(in: namespace) }
        }
    }

    /// Returns the time of a namespace's manual clock.
    package func clock(of namespace: Namespace) async throws(StoreError) -> Timestamp? {
        try await read { try Self.clock(of: namespace, in: $0) }
    }

    private static func clock(of namespace: Namespace, in database: Database) throws -> Timestamp? {
        let clocks = try database.rows("SELECT clock FROM namespace WHERE name = ?", [namespace.databaseText]) {
            ($0[0] as Int?).map(Timestamp.init(milliseconds:))
        }
        return clocks.first.flatMap(\.self)
    }

    /// Starts the manual clock of a namespace, if the namespace exists and the clock has not started.
    package func startClock(of namespace: Namespace, at start: Timestamp) async throws(StoreError) -> Timestamp? {
        try await write { transaction in
            try transaction.execute(
                "UPDATE namespace SET clock = ? WHERE name = ? AND clock IS NULL",
                [start.rawValue, namespace.databaseText]
            )
            return try Self.clock(of: namespace, in: transaction.database)
        }
    }

    /// Moves a namespace's manual clock forward.
    package func moveClock<Refusal: Error>(
        of namespace: Namespace,
        startingAt start: Timestamp,
        to destination: @escaping @Sendable (Timestamp) throws(Refusal) -> Timestamp
    ) async throws(StoreError) -> Result<Timestamp, Refusal> {
        try await write { transaction in
            let storedTime = try Self.clock(of: namespace, in: transaction.database)
            let currentTime = storedTime ?? start
            let now = Result { () throws(Refusal) in max(try destination(currentTime), currentTime) }
            if case .success(let now) = now {
                let namespaceID = try transaction.findOrCreateNamespaceID(of: namespace)
                try transaction.execute("UPDATE namespace SET clock = ? WHERE number = ?", [now.rawValue, namespaceID])
            }
            return now
        }
    }
}

extension NamespaceSummary {
    /// Reads the summaries of all namespaces.
    static func fetchAll(_ database: Database) throws -> [Self] {
        try database.rows(
            """
            SELECT name, (SELECT COUNT(*) FROM device WHERE namespace = namespace.number),
                (SELECT COUNT(*) FROM item WHERE namespace = namespace.number),
                (SELECT created FROM batch WHERE namespace = namespace.number AND stored > 0
                    ORDER BY number LIMIT 1)
            FROM namespace
            """,
            []
        ) {
            Self(
                name: Namespace(databaseText: $0[0]),
                devices: $0[1],
                stored: $0[2],
                oldest: ($0[3] as Int?).map(Timestamp.init(milliseconds:))
            )
        }
    }
}

extension SQLiteStore {
    /// Stores a provider key.
    package func setKey(_ key: ProviderKey, in namespace: Namespace) async throws(StoreError) {
        try await write { transaction in
            let topics = try key.topics.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
            try transaction.execute(
                "INSERT OR REPLACE INTO provider_key VALUES (?, ?, ?, ?, ?, ?)",
                [
                    try transaction.findOrCreateNamespaceID(of: namespace), key.id.databaseText, key.team.databaseText,
                    key.publicKey, topics, key.environment?.rawValue,
                ]
            )
        }
    }

    /// Deletes a provider key.
    package func removeKey(_ id: ProviderKeyID, in namespace: Namespace) async throws(StoreError) -> Bool {
        try await write { transaction in
            guard let namespaceID = try transaction.namespaceID(of: namespace) else { return false }
            try transaction.execute(
                "DELETE FROM provider_key WHERE namespace = ? AND id = ?",
                [namespaceID, id.databaseText]
            )
            return transaction.database.changesCount > 0
        }
    }

    /// Returns the provider keys of every namespace.
    package func keys() async throws(StoreError) -> [Namespace: [ProviderKey]] {
        try await readByNamespace(
            """
            SELECT namespace.name, id, team, public_key, topics, environment FROM provider_key
            JOIN namespace ON namespace.number = provider_key.namespace ORDER BY id
            """,
            ProviderKey.init(row:)
        )
    }
}

extension ProviderKey {
    fileprivate init(row: Row) throws {
        self.init(
            id: ProviderKeyID(databaseText: row[1]),
            team: TeamID(databaseText: row[2]),
            publicKey: row[3],
            topics: try (row[4] as String?).map { try DocumentDecoder.decode([Topic].self, from: $0.utf8) },
            environment: (row[5] as String?).flatMap(PushEnvironment.init(rawValue:))
        )
    }
}
