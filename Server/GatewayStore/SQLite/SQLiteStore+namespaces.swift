internal import Foundation
internal import GRDB
package import WaypostSchema

extension SQLiteStore {
    /// Returns every namespace that contains anything.
    package func namespaces() async throws(StoreError) -> [NamespaceSummary] {
        try await read { try NamespaceSummary.fetchAll($0) }.sorted { $0.name.rawValue < $1.name.rawValue }
    }

    /// Deletes everything in a namespace.
    package func reset(_ namespace: Namespace) async throws(StoreError) -> Set<AgentID> {
        try await perform { try $0.reset(namespace) }
    }

    /// Returns the time of a namespace's manual clock.
    package func clock(of namespace: Namespace) async throws(StoreError) -> Timestamp? {
        try await read { database in
            let statement = try database.cachedStatement(sql: "SELECT clock FROM namespace WHERE name = ?")
            return try Int?.fetchOne(statement, arguments: [namespace.stored]).flatMap(\.self)
                .map(Timestamp.init(milliseconds:))
        }
    }

    /// Sets a namespace's manual clock.
    package func setClock(of namespace: Namespace, to now: Timestamp) async throws(StoreError) {
        try await perform { try $0.setClock(of: namespace, to: now) }
    }
}

extension NamespaceSummary {
    /// Reads the summaries of all namespaces.
    ///
    /// The age of the oldest notification is that of the first batch with stored notifications.
    static func fetchAll(_ database: Database) throws -> [Self] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT name, (SELECT COUNT(*) FROM device WHERE namespace = namespace.number),
                    (SELECT COUNT(*) FROM item WHERE namespace = namespace.number),
                    (SELECT created FROM batch WHERE namespace = namespace.number AND stored > 0
                        ORDER BY number LIMIT 1)
                FROM namespace
                """
        )
        return try Row.fetchAll(statement).map {
            Self(
                name: Namespace(stored: $0[0]),
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
        try await perform { try $0.setKey(key, in: namespace) }
    }

    /// Deletes a provider key.
    package func removeKey(_ id: ProviderKeyID, in namespace: Namespace) async throws(StoreError) -> Bool {
        try await perform { try $0.removeKey(id, in: namespace) }
    }

    /// Returns the provider keys of every namespace.
    package func keys() async throws(StoreError) -> [Namespace: [ProviderKey]] {
        let keys = try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT namespace.name, id, team, public_key, topics, environment FROM provider_key
                    JOIN namespace ON namespace.number = provider_key.namespace
                    """
            ).map { (Namespace(stored: $0[0]), try ProviderKey(row: $0)) }
        }
        return Dictionary(grouping: keys, by: \.0).mapValues { keys in
            keys.map(\.1).sorted { $0.id.rawValue < $1.id.rawValue }
        }
    }
}

extension StoreTransaction {
    fileprivate mutating func setKey(_ key: ProviderKey, in namespace: Namespace) throws {
        let topics = try key.topics.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
        try execute(
            "INSERT OR REPLACE INTO provider_key VALUES (?, ?, ?, ?, ?, ?)",
            [
                try makeNumber(of: namespace), key.id.stored, key.team.stored, key.publicKey, topics,
                key.environment?.rawValue,
            ]
        )
    }

    fileprivate mutating func removeKey(_ id: ProviderKeyID, in namespace: Namespace) throws -> Bool {
        guard let namespaceID = try number(of: namespace) else { return false }
        try execute("DELETE FROM provider_key WHERE namespace = ? AND id = ?", [namespaceID, id.stored])
        return database.changesCount > 0
    }
}

extension ProviderKey {
    fileprivate init(row: Row) throws {
        self.init(
            id: ProviderKeyID(stored: row[1]),
            team: TeamID(stored: row[2]),
            publicKey: row[3],
            topics: try (row[4] as String?).map { try JSONDecoder().decode([Topic].self, from: Data($0.utf8)) },
            environment: (row[5] as String?).flatMap(PushEnvironment.init(rawValue:))
        )
    }
}
