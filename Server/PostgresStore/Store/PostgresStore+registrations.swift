package import GatewayStore
package import WaypostSchema

/// Devices, their agents, and the storage modes of apps.
extension PostgresStore {
    /// Registers a device.
    package func register(
        _ device: NewDevice,
        in namespace: Namespace,
        at now: Timestamp
    ) async throws(StoreError) -> RegistrationOutcome {
        try await write(on: ChangeSubjects(tokens: [device.token], digests: [device.digest])) {
            try $0.lockAndRegister(device, in: namespace, at: now)
        }
    }

    /// Changes a device.
    package func updateDevice(
        _ token: DeviceToken,
        in namespace: Namespace,
        with change: DeviceChange,
        at now: Timestamp
    ) async throws(StoreError) -> DeviceChangeOutcome? {
        try await write(on: ChangeSubjects(tokens: [token])) {
            try $0.lockAndUpdateDevice(token, in: namespace, with: change, at: now)
        }
    }

    /// Returns the device with `token`.
    package func device(_ token: DeviceToken, in namespace: Namespace) async throws(StoreError) -> RegisteredDevice? {
        try await readPool.withConnection { connection in
            try connection.run(
                """
                SELECT \(DeviceRecord.columns) FROM device
                WHERE namespace = (SELECT number FROM namespace WHERE namespace.name = $1) AND token = $2
                """,
                [.text(namespace.databaseText), .text(token.databaseText)]
            ).rows.map { try DeviceRecord(row: $0).registeredDevice(with: token) }.first
        }
    }

    /// Returns the first `limit` devices of a namespace that match a filter and whose tokens are after `token`.
    package func devices(
        in namespace: Namespace,
        matching filter: DeviceFilter,
        after token: DeviceToken,
        limit: Int
    ) async throws(StoreError) -> [ListedDevice] {
        try await readPool.withConnection { connection in
            try connection.run(
                """
                SELECT \(DeviceRecord.columns), token,
                    EXISTS (SELECT 1 FROM session WHERE session.agent = device.agent),
                    (SELECT count(*) FROM item WHERE item.device = device.number)
                FROM device
                WHERE namespace = (SELECT number FROM namespace WHERE namespace.name = $1) AND token > $2
                    AND ($4::text IS NULL OR name = $4) AND ($5::text IS NULL OR standing = $5)
                ORDER BY token LIMIT $3
                """,
                [
                    .text(namespace.databaseText), .text(token.databaseText), .integer(limit),
                    .text(filter.name.map(StoredString.encode)), .text(filter.standing?.rawValue),
                ]
            ).rows.map { row in
                ListedDevice(
                    device: try DeviceRecord(row: row).registeredDevice(with: DeviceToken(databaseText: row.text(9))),
                    connected: row.boolean(10),
                    stored: row.integer(11)
                )
            }
        }
    }

    /// Returns the active devices of agents.
    package func devices(
        of agents: Set<AgentID>,
        in namespace: Namespace
    ) async throws(StoreError) -> [AgentID: [StreamDevice]] {
        let rows = try await readPool.withConnection { connection in
            try connection.run(
                """
                SELECT agent, token, name FROM device
                WHERE namespace = (SELECT number FROM namespace WHERE namespace.name = $1) AND agent = ANY ($2)
                    AND standing = 'active'
                ORDER BY token
                """,
                [.text(namespace.databaseText), .integers(agents.map(\.number))]
            ).rows.map { row in
                let device = StreamDevice(
                    token: DeviceToken(databaseText: row.text(1)),
                    name: StoredString.decode(row.text(2))
                )
                return (AgentID(namespace: namespace, number: row.integer(0)), device)
            }
        }
        return Dictionary(grouping: rows, by: \.0).mapValues { $0.map(\.1) }
    }

    /// Returns the first notifications above `cursor` in the inbox of one device.
    package func inbox(
        of token: DeviceToken,
        in namespace: Namespace,
        after cursor: Int,
        limit: Int,
        at now: Timestamp
    ) async throws(StoreError) -> [StoredNotification]? {
        try await readPool.withConnection { connection in
            let numbers = try connection.run(
                """
                SELECT number FROM device
                WHERE namespace = (SELECT number FROM namespace WHERE namespace.name = $1) AND token = $2
                """,
                [.text(namespace.databaseText), .text(token.databaseText)]
            ).rows.map { $0.integer(0) }
            return try numbers.first.map {
                try StoredNotification.fetchPage(connection, ofDevice: $0, after: cursor, limit: limit, at: now)
            }
        }
    }

    /// Returns the topics of the active tokens that the apps of a device have.
    package func appTopics(
        ofDeviceWith token: DeviceToken,
        in namespace: Namespace
    ) async throws(StoreError) -> Set<Topic> {
        try await readPool.withConnection { connection in
            let topics = try connection.run(
                """
                SELECT app.topics FROM device
                JOIN device AS app
                    ON app.namespace = device.namespace AND app.agent = device.agent AND app.name = device.name
                WHERE device.namespace = (SELECT number FROM namespace WHERE namespace.name = $1)
                    AND device.token = $2 AND app.standing = 'active' AND app.purpose IS NOT NULL
                """,
                [.text(namespace.databaseText), .text(token.databaseText)]
            ).rows.flatMap { $0.texts(0) }
            return Set(topics.map(Topic.init(databaseText:)))
        }
    }

    /// Returns the namespaces of the devices with `tokens`, and their topics if `withTopics`.
    package func registrations(
        of tokens: Set<DeviceToken>,
        withTopics: Bool
    ) async throws(StoreError) -> [DeviceToken: TokenRegistration] {
        guard !tokens.isEmpty else { return [:] }
        return try await readPool.withConnection { connection in
            let rows: [(DeviceToken, TokenRegistration)] = try connection.run(
                """
                SELECT device.token, namespace.name,
                    CASE WHEN $2 AND device.standing = 'active' THEN device.topics ELSE '{}' END
                FROM device JOIN namespace ON namespace.number = device.namespace
                WHERE device.token = ANY ($1)
                ORDER BY device.standing = 'active', device.since, device.number
                """,
                [.texts(tokens.map(\.databaseText)), .boolean(withTopics)]
            ).rows.map { row in
                let registration = TokenRegistration(
                    namespace: Namespace(databaseText: row.text(1)),
                    activeTopics: Set(row.texts(2).map(Topic.init(databaseText:)))
                )
                return (DeviceToken(databaseText: row.text(0)), registration)
            }
            return Dictionary(rows) { $1 }
        }
    }

    /// Returns the agent whose secret has the digest `digest`.
    package func agent(withDigest digest: SecretDigest) async throws(StoreError) -> AgentID? {
        try await readPool.withConnection { connection in
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
                return AgentID(namespace: Namespace(databaseText: row.text(0)), number: row.integer(1))
            }.first
        }
    }

    /// Replaces the secret of an agent.
    package func rotateSecret(
        from old: SecretDigest,
        to new: SecretDigest,
        in namespace: Namespace
    ) async throws(StoreError) -> SecretRotationOutcome {
        try await write(on: ChangeSubjects(digests: [old, new])) {
            try $0.lockAndRotateSecret(from: old, to: new, in: namespace)
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
        try await readPool.withConnection { connection in
            try connection.run(
                "SELECT topic, storage FROM app WHERE namespace = (SELECT number FROM namespace WHERE name = $1)",
                [.text(namespace.databaseText)]
            ).rows.map { AppSettings(topic: Topic(databaseText: $0.text(0)), storage: try StoredEnum.read($0.text(1))) }
                .sorted { $0.topic.rawValue < $1.topic.rawValue }
        }
    }
}
