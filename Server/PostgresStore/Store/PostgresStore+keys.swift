internal import Foundation
package import GatewayStore
internal import JSONScanning
package import WaypostSchema

/// Provider keys.
extension PostgresStore {
    /// Stores a provider key.
    package func setKey(_ key: ProviderKey, in namespace: Namespace) async throws(StoreError) {
        try await write { transaction in
            let topics = try key.topics.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
            try transaction.connection.send(
                """
                INSERT INTO provider_key (namespace, id, team, public_key, topics, environment)
                VALUES ($1, $2, $3, $4, $5, $6)
                ON CONFLICT (namespace, id) DO UPDATE SET team = excluded.team, public_key = excluded.public_key,
                    topics = excluded.topics, environment = excluded.environment
                """,
                [
                    .integer(try transaction.findOrCreateNamespaceID(of: namespace)), .text(key.id.databaseText),
                    .text(key.team.databaseText), .text(key.publicKey), .text(topics), .text(key.environment?.rawValue),
                ]
            )
            transaction.enqueue(.keysChanged)
        }
    }

    /// Deletes a provider key.
    package func removeKey(_ id: ProviderKeyID, in namespace: Namespace) async throws(StoreError) -> Bool {
        try await write { transaction in
            guard let namespaceID = try transaction.namespaceID(of: namespace) else { return false }
            transaction.enqueue(.keysChanged)
            return try transaction.connection.run(
                "DELETE FROM provider_key WHERE namespace = $1 AND id = $2",
                [.integer(namespaceID), .text(id.databaseText)]
            ).changedCount > 0
        }
    }

    /// Returns the provider keys of every namespace.
    package func keys() async throws(StoreError) -> [Namespace: [ProviderKey]] {
        try await readPool.withConnection { connection in
            let keys = try connection.run(
                """
                SELECT namespace.name, id, team, public_key, topics, environment FROM provider_key
                JOIN namespace ON namespace.number = provider_key.namespace
                """
            ).rows.map { (namespace: Namespace(databaseText: $0.text(0)), key: try ProviderKey(row: $0)) }
            return Dictionary(grouping: keys, by: \.namespace).mapValues { keys in
                keys.map(\.key).sorted { $0.id.rawValue < $1.id.rawValue }
            }
        }
    }
}

extension ProviderKey {
    fileprivate init(row: PostgresRow) throws {
        self.init(
            id: ProviderKeyID(databaseText: row.text(1)),
            team: TeamID(databaseText: row.text(2)),
            publicKey: row.text(3),
            topics: try row.optionalText(4).map { try DocumentDecoder.decode([Topic].self, from: $0.utf8) },
            environment: row.optionalText(5).flatMap(PushEnvironment.init(rawValue:))
        )
    }
}
