internal import GatewayStore
internal import WaypostSchema

/// Methods for devices and their agents; the rules are those of all engines.
extension PostgresTransaction: RegistrationStatements {
    /// Registers a device, and keeps others from changing it and the agents that are concerned.
    mutating func lockAndRegister(
        _ device: NewDevice,
        in namespace: Namespace,
        at now: Timestamp
    ) throws -> RegistrationOutcome {
        if let namespaceID = try namespaceID(of: namespace) {
            try lockAgents(of: device.token, and: device.digest, in: namespaceID)
        }
        let outcome = try register(device, in: namespace, at: now)
        if case .registered(_, let changes) = outcome { _ = enqueue(changes, in: namespace) }
        return outcome
    }

    /// Changes a device, and keeps others from changing it and its agent; returns `nil` if it does not exist.
    mutating func lockAndUpdateDevice(
        _ token: DeviceToken,
        in namespace: Namespace,
        with change: DeviceChange,
        at now: Timestamp
    ) throws -> DeviceChangeOutcome? {
        guard let namespaceID = try namespaceID(of: namespace) else { return nil }
        try lockAgents(of: token, in: namespaceID)
        let outcome = try self.updateDevice(token, in: namespace, with: change, at: now)
        if case .changed(_, let agent, let changes) = outcome {
            // A broadcast in flight may have a topic of an app's token, so nothing ends by any other change.
            if let topics = change.acceptedTopics(at: now) { enqueue(.deviceChanged(agent, token, accepts: topics)) }
            _ = enqueue(changes, in: namespace)
        }
        return outcome
    }

    /// Replaces the secret of an agent, and keeps others from changing the agents that are concerned.
    mutating func lockAndRotateSecret(
        from old: SecretDigest,
        to new: SecretDigest,
        in namespace: Namespace
    ) throws -> SecretRotationOutcome {
        if let namespaceID = try namespaceID(of: namespace) {
            // The digest is part of a unique index, so the update needs this lock rather than that of `lockAgents`. The
            // writer has the weaker one already; no other transaction shares it, so this one does not wait.
            _ = try connection.run(
                """
                SELECT number FROM agent WHERE namespace = $1 AND (digest = $2 OR digest = $3)
                ORDER BY number FOR UPDATE
                """,
                [.integer(namespaceID), .bytes(old.bytes), .bytes(new.bytes)]
            )
        }
        return try rotateSecret(from: old, to: new, in: namespace)
    }

    /// Locks the agent of a device, and the one with a secret, in the order of their numbers.
    private func lockAgents(of token: DeviceToken, and digest: SecretDigest? = nil, in namespace: Int) throws {
        let lockedAgents = try connection.run(
            """
            SELECT number FROM agent WHERE namespace = $1 AND (digest = $2 OR number IN (
                SELECT agent FROM device WHERE namespace = $1 AND token = $3
            )) ORDER BY number FOR NO KEY UPDATE
            """,
            [.integer(namespace), .bytes(digest?.bytes), .text(token.databaseText)]
        ).rows.map { $0.integer(0) }
        if let device = try device(token, in: namespace), !lockedAgents.contains(device.agent) {
            throw PostgresError.conflict("the device has changed its agent")
        }
    }

    /// Returns the number of the agent whose secret has the digest `digest`.
    func agentNumber(withDigest digest: SecretDigest, in namespace: Int) throws -> Int? {
        try connection.run(
            "SELECT number FROM agent WHERE digest = $1 AND namespace = $2",
            [.bytes(digest.bytes), .integer(namespace)]
        ).rows.first?.integer(0)
    }

    /// Creates an agent and returns its number.
    func createAgent(withDigest digest: SecretDigest, in namespace: Int) throws -> Int {
        try connection.run(
            "INSERT INTO agent (namespace, digest) VALUES ($1, $2) RETURNING number",
            [.integer(namespace), .bytes(digest.bytes)]
        ).rows.first?.integer(0) ?? 0
    }

    /// Replaces the digest of an agent's secret.
    func setDigest(_ digest: SecretDigest, ofAgent number: Int, in namespace: Int) throws {
        try connection.send(
            "UPDATE agent SET digest = $1 WHERE namespace = $2 AND number = $3",
            [.bytes(digest.bytes), .integer(namespace), .integer(number)]
        )
    }

    /// Returns the device with `token`, regardless of its standing.
    func device(_ token: DeviceToken, in namespace: Int) throws -> DeviceRecord? {
        try DeviceRecord.fetch(connection, token, in: namespace)
    }

    /// Returns the number for a new device.
    func nextDeviceNumber(in namespace: Int) throws -> Int {
        try connection.run("SELECT nextval('device_number')").rows.first?.integer(0) ?? 0
    }

    /// Writes a device with its topics.
    func write(
        _ device: DeviceRecord,
        as token: DeviceToken,
        replacing previous: Set<Topic>,
        in namespace: Int
    ) throws {
        try connection.send(
            """
            INSERT INTO device (number, namespace, token, agent, name, standing, since, is_constrained, topics,
                environments, purpose)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
            ON CONFLICT (number) DO UPDATE SET token = excluded.token, agent = excluded.agent, name = excluded.name,
                standing = excluded.standing, since = excluded.since, is_constrained = excluded.is_constrained,
                topics = excluded.topics, environments = excluded.environments, purpose = excluded.purpose
            """,
            [
                .integer(device.number), .integer(namespace), .text(token.databaseText), .integer(device.agent),
                .text(StoredString.encode(device.name)), .text(device.standing.rawValue),
                .integer(device.standingChangedAt.rawValue), .boolean(device.isLowPowerModeEnabled),
                .texts(device.topics.map(\.databaseText).sorted()),
                .text(StoredEnvironments.encode(device.environments)), .text(StoredJSON.encode(device.purpose)),
            ]
        )
    }

    /// Removes the stored notifications of a device, or of one of its topics, from the inbox.
    mutating func removeNotifications(
        of device: DeviceRecord,
        for topic: Topic?,
        as state: DeliveryState,
        agent: AgentID,
        in namespace: Int,
        at now: Timestamp
    ) throws -> StoreChanges {
        let removals = try removeNotifications(
            as: state,
            from: agent.namespace,
            at: now,
            "DELETE FROM item WHERE agent = $1 AND device = $2 AND ($3::text IS NULL OR topic = $3) RETURNING *",
            [.integer(agent.number), .integer(device.number), .text(topic?.databaseText)]
        )
        return StoreChanges(removals: removals)
    }

    /// Deletes the subscriptions of a device.
    func deleteSubscriptions(of device: Int, in namespace: Int) throws {
        try connection.send("DELETE FROM subscription WHERE device = $1", [.integer(device)])
    }
}

extension DeviceRecord {
    /// Reads the device with `token`.
    static func fetch(_ connection: PostgresConnection, _ token: DeviceToken, in namespace: Int) throws -> Self? {
        try connection.run(
            "SELECT \(columns) FROM device WHERE namespace = $1 AND token = $2",
            [.integer(namespace), .text(token.databaseText)]
        ).rows.map(Self.init(row:)).first
    }

    /// The columns that a device is read from.
    static let columns =
        "device.number, device.agent, name, standing, since, is_constrained, topics, environments, purpose"

    /// Reads a device from the first columns of a row.
    init(row: PostgresRow) throws {
        self.init(
            number: row.integer(0),
            agent: row.integer(1),
            name: StoredString.decode(row.text(2)),
            topics: Set(row.texts(6).map(Topic.init(databaseText:))),
            standing: try StoredEnum.read(row.text(3)),
            standingChangedAt: Timestamp(milliseconds: row.integer(4)),
            isLowPowerModeEnabled: row.boolean(5),
            environments: try StoredEnvironments.decode(row.optionalText(7)),
            purpose: try StoredJSON.decode(row.optionalText(8))
        )
    }
}
