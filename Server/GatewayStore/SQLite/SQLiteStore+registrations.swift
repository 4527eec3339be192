internal import Foundation
internal import GRDB
internal import JSONScanning
internal import Synchronization
package import WaypostSchema

extension SQLiteStore {
    /// Registers a device.
    package func register(
        _ device: NewDevice,
        in namespace: Namespace,
        at now: Timestamp
    ) async throws(StoreError) -> RegistrationOutcome {
        try await write { try $0.register(device, in: namespace, at: now) }
    }

    /// Changes a device.
    package func updateDevice(
        _ token: DeviceToken,
        in namespace: Namespace,
        with change: DeviceChange,
        at now: Timestamp
    ) async throws(StoreError) -> DeviceChangeOutcome? {
        try await write { try $0.updateDevice(token, in: namespace, with: change, at: now) }
    }

    /// Returns the device with `token`.
    package func device(_ token: DeviceToken, in namespace: Namespace) async throws(StoreError) -> RegisteredDevice? {
        try await read(in: namespace) { database, namespaceID in
            try DeviceRecord.fetch(database, token, in: namespaceID)?.registeredDevice(with: token)
        }
    }

    /// Returns the first `limit` devices of a namespace that match a filter and whose tokens are after `token`.
    package func devices(
        in namespace: Namespace,
        matching filter: DeviceFilter,
        after token: DeviceToken,
        limit: Int
    ) async throws(StoreError) -> [ListedDevice] {
        let rows = try await read(in: namespace) { database, namespaceID in
            try DeviceRecord.fetch(
                database,
                matching: filter,
                after: token,
                limit: limit,
                in: namespaceID
            ).map { token, device in
                let counts = try database.rows(
                    "SELECT count(*) FROM item WHERE namespace = ? AND agent = ? AND device = ?",
                    [namespaceID, device.agent, device.number]
                ) { $0[0] as Int }
                return (device: device, token: token, storedCount: counts.first ?? 0)
            }
        }
        // Sessions are known only to the writer.
        return try await write(weight: 0) { transaction in
            (rows ?? []).map { row in
                ListedDevice(
                    device: row.device.registeredDevice(with: row.token),
                    connected: transaction.liveState.hasSession(row.device.agent),
                    stored: row.storedCount
                )
            }
        }
    }

    /// Returns the active devices of agents.
    package func devices(
        of agents: Set<AgentID>,
        in namespace: Namespace
    ) async throws(StoreError) -> [AgentID: [StreamDevice]] {
        let rows = try await read(in: namespace) { try StreamDevice.fetchAll($0, of: agents.map(\.number), in: $1) }
        return Dictionary(grouping: rows ?? []) { AgentID(namespace: namespace, number: $0.agent) }
            .mapValues { $0.map(\.device).sorted { $0.token.rawValue < $1.token.rawValue } }
    }

    /// Returns the first notifications above `cursor` in the inbox of one device.
    package func inbox(
        of token: DeviceToken,
        in namespace: Namespace,
        after cursor: Int,
        limit: Int,
        at now: Timestamp
    ) async throws(StoreError) -> [StoredNotification]? {
        try await read(in: namespace) { database, namespaceID in
            try DeviceRecord.fetch(database, token, in: namespaceID).map { device in
                try StoredNotification.fetchPage(
                    database,
                    of: device,
                    in: namespace,
                    after: cursor,
                    limit: limit,
                    at: now
                )
            }
        }
    }

    /// Returns the topics of the active tokens that the apps of a device have.
    package func appTopics(
        ofDeviceWith token: DeviceToken,
        in namespace: Namespace
    ) async throws(StoreError) -> Set<Topic> {
        let topics = try await read(in: namespace) { database, namespaceID in
            try database.rows(
                """
                SELECT DISTINCT device_topic.topic FROM device
                CROSS JOIN device AS app INDEXED BY device_agent
                    ON app.namespace = device.namespace AND app.agent = device.agent AND app.name = device.name
                CROSS JOIN device_topic ON device_topic.namespace = app.namespace AND device_topic.device = app.number
                WHERE device.namespace = ? AND device.token = ?
                    AND app.standing = 'active' AND app.purpose IS NOT NULL
                """,
                [namespaceID, token.databaseText]
            ) { Topic(databaseText: $0[0]) }
        }
        return Set(topics ?? [])
    }

    /// Returns the namespaces of the devices with `tokens`, and their topics if `withTopics`.
    package func registrations(
        of tokens: Set<DeviceToken>,
        withTopics: Bool
    ) async throws(StoreError) -> [DeviceToken: TokenRegistration] {
        guard !tokens.isEmpty else { return [:] }
        let rows = try await read { database in
            try database.rows(
                """
                SELECT device.token, namespace.name, CASE WHEN ? AND device.standing = 'active' THEN
                    (SELECT json_group_array(topic) FROM device_topic
                    WHERE device_topic.namespace = device.namespace AND device_topic.device = device.number) END
                FROM device JOIN namespace ON namespace.number = device.namespace
                WHERE device.token IN (SELECT value FROM json_each(?))
                ORDER BY device.standing = 'active', device.since, device.number
                """,
                [withTopics, String(decoding: try JSONEncoder().encode(tokens.map(\.databaseText)), as: UTF8.self)]
            ) { row in
                let topics = try (row[2] as String?).map { try DocumentDecoder.decode([String].self, from: $0.utf8) }
                let registration = TokenRegistration(
                    namespace: Namespace(databaseText: row[1]),
                    activeTopics: Set((topics ?? []).map(Topic.init(databaseText:)))
                )
                return (DeviceToken(databaseText: row[0]), registration)
            }
        }
        return Dictionary(rows) { $1 }
    }

    /// Returns the agent whose secret has the digest `digest`.
    package func agent(withDigest digest: SecretDigest) async throws(StoreError) -> AgentID? {
        let (cached, generation) = agentCache.withLock { ($0.agent(withDigest: digest), $0.generation) }
        if let cached { return cached }
        let agent = try await readAgent(withDigest: digest)
        if let agent { agentCache.withLock { $0.insert(agent, withDigest: digest, readIn: generation) } }
        return agent
    }

    /// Replaces the secret of an agent.
    package func rotateSecret(
        from old: SecretDigest,
        to new: SecretDigest,
        in namespace: Namespace
    ) async throws(StoreError) -> SecretRotationOutcome {
        try await write {
            try $0.rotateSecret(from: old, to: new, in: namespace)
        } then: { [self] _ in
            agentCache.withLock { $0.remove(old) }
        }
    }

    private func readAgent(withDigest digest: SecretDigest) async throws(StoreError) -> AgentID? {
        try await read { database in
            // Secrets are random, so two namespaces never share one; if they did, the older agent would be the result.
            try database.rows(
                """
                SELECT namespace.name, agent.number, agent.digest FROM agent
                JOIN namespace ON namespace.number = agent.namespace
                WHERE agent.digest = ? ORDER BY agent.number LIMIT 1
                """,
                [Data(digest.bytes)]
            ) { row in
                // The index does not compare in constant time, but this comparison does.
                guard SecretDigest(bytes: Array(row[2] as Data)) == digest else { return AgentID?.none }
                return AgentID(namespace: Namespace(databaseText: row[0]), number: row[1])
            }.first.flatMap(\.self)
        }
    }

    /// Sets the storage mode of an app.
    package func setStorage(
        _ mode: StorageMode,
        for topic: Topic,
        in namespace: Namespace,
        at now: Timestamp
    ) async throws(StoreError) -> StoreChanges {
        try await write { try $0.setStorage(mode, for: topic, in: namespace, at: now) }
    }

    /// Returns the apps with a storage mode that was set.
    package func apps(in namespace: Namespace) async throws(StoreError) -> [AppSettings] {
        let apps = try await read(in: namespace) { try AppSettings.fetchAll($0, in: $1) }
        return (apps ?? []).sorted { $0.topic.rawValue < $1.topic.rawValue }
    }
}

extension StreamDevice {
    /// Reads the active devices of agents, in any order.
    static func fetchAll(
        _ database: Database,
        of agents: [Int],
        in namespace: Int
    ) throws -> [(agent: Int, device: Self)] {
        try database.rows(
            """
            SELECT agent, token, name FROM device
            WHERE namespace = ? AND agent IN (SELECT value FROM json_each(?)) AND standing = 'active'
            """,
            [namespace, StoreTransaction.jsonArray(of: agents)]
        ) { row in
            (row[0] as Int, Self(token: DeviceToken(databaseText: row[1]), name: StoredString.decode(row[2])))
        }
    }
}
