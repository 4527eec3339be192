package import GatewayStore
package import WaypostSchema

/// Broadcast channels.
extension PostgresStore {
    /// Stores a new channel, unless its app already has `limit` channels in its environment.
    package func addChannel(
        _ channel: BroadcastChannel,
        in namespace: Namespace,
        limit: Int
    ) async throws(StoreError) -> Bool {
        try await write { transaction in
            let namespaceID = try transaction.findOrCreateNamespaceID(of: namespace)
            // Other gateways wait here, so that together they do not exceed the limit.
            try transaction.connection.send(
                "SELECT 1 FROM namespace WHERE number = $1 FOR NO KEY UPDATE",
                [.integer(namespaceID)]
            )
            let count = try transaction.connection.run(
                """
                SELECT count(*) FROM channel WHERE namespace = $1 AND app = $2 AND environment IS NOT DISTINCT FROM $3
                """,
                [.integer(namespaceID), .text(channel.app.databaseText), .text(channel.environment?.rawValue)]
            ).rows.map { $0.integer(0) }
            guard count.allSatisfy({ $0 < limit }) else { return false }
            try transaction.connection.send(
                """
                INSERT INTO channel (namespace, id, app, environment, policy, message_id, message_priority,
                    message_expiration, message_payload, message_traceparent)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
                ON CONFLICT (namespace, id) DO UPDATE SET app = excluded.app, environment = excluded.environment,
                    policy = excluded.policy, message_id = excluded.message_id,
                    message_priority = excluded.message_priority, message_expiration = excluded.message_expiration,
                    message_payload = excluded.message_payload, message_traceparent = excluded.message_traceparent
                """,
                [
                    .integer(namespaceID), .text(channel.id.databaseText), .text(channel.app.databaseText),
                    .text(channel.environment?.rawValue), .integer(channel.policy.rawValue),
                ] + Self.columns(of: channel.message)
            )
            return true
        }
    }

    private static func columns(of message: BroadcastChannel.Message?) -> [PostgresValue] {
        [
            .text(message?.id.databaseText), .integer(message?.priority), .integer(message?.expiration),
            .bytes(message?.payload), .text(message?.traceparent?.rawValue),
        ]
    }

    /// Deletes a channel and its subscriptions.
    package func removeChannel(_ id: ChannelID, in namespace: Namespace) async throws(StoreError) -> Bool {
        try await write { transaction in
            guard let namespaceID = try transaction.namespaceID(of: namespace) else { return false }
            let arguments: [PostgresValue] = [.integer(namespaceID), .text(id.databaseText)]
            try transaction.connection.send(
                "DELETE FROM subscription WHERE namespace = $1 AND channel = $2",
                arguments
            )
            return try transaction.connection.run("DELETE FROM channel WHERE namespace = $1 AND id = $2", arguments)
                .changedCount > 0
        }
    }

    /// Returns the channels with these identifiers.
    package func channels(_ ids: Set<ChannelID>) async throws(StoreError) -> [ChannelID: ChannelRecord] {
        guard !ids.isEmpty else { return [:] }
        let channels = try await readPool.withConnection { try BroadcastChannel.fetch($0, ids) }
        // The gateway creates identifiers at random, so no two namespaces share one.
        return Dictionary(channels.map { ($0.channel.id, $0) }) { first, _ in first }
    }

    /// Returns the channels of an app.
    package func channels(of app: Topic, in namespace: Namespace) async throws(StoreError) -> [BroadcastChannel] {
        try await readPool.withConnection { connection in
            try connection.run(
                """
                SELECT NULL::text, id, app, environment, policy, NULL::text, NULL::bigint, NULL::bigint, NULL::bytea
                FROM channel WHERE namespace = (SELECT number FROM namespace WHERE name = $1) AND app = $2
                """,
                [.text(namespace.databaseText), .text(app.databaseText)]
            ).rows.map(BroadcastChannel.init(row:)).sorted { $0.id.rawValue < $1.id.rawValue }
        }
    }

    /// Subscribes a device to exactly these channels.
    package func subscribe(
        _ token: DeviceToken,
        to channels: Set<ChannelID>,
        in namespace: Namespace
    ) async throws(StoreError) -> [BroadcastChannel]? {
        try await write(weight: channels.count) { transaction in
            guard let namespaceID = try transaction.namespaceID(of: namespace) else { return nil }
            // Its standing must not change in the meantime.
            try transaction.connection.send(
                "SELECT 1 FROM device WHERE namespace = $1 AND token = $2 FOR NO KEY UPDATE",
                [.integer(namespaceID), .text(token.databaseText)]
            )
            guard let device = try transaction.device(token, in: namespaceID), device.standing == .active else {
                return nil
            }
            let previous = try transaction.connection.run(
                "SELECT channel FROM subscription WHERE device = $1",
                [.integer(device.number)]
            ).rows.map { ChannelID(databaseText: $0.text(0)) }
            try transaction.deleteSubscriptions(of: device.number, in: namespaceID)
            try transaction.connection.send(
                "INSERT INTO subscription (namespace, channel, device) SELECT $1, *, $3 FROM unnest($2::text[])",
                [.integer(namespaceID), .texts(channels.map(\.databaseText)), .integer(device.number)]
            )
            let newIDs = channels.subtracting(previous)
            return try newIDs.isEmpty ? [] : BroadcastChannel.fetch(transaction.connection, newIDs).map(\.channel)
        }
    }

    /// Returns the channels that a device is subscribed to.
    package func subscriptions(
        of token: DeviceToken,
        in namespace: Namespace
    ) async throws(StoreError) -> Set<ChannelID> {
        try await readPool.withConnection { connection in
            let channels = try connection.run(
                """
                SELECT channel FROM subscription JOIN device ON device.number = subscription.device
                WHERE device.namespace = (SELECT number FROM namespace WHERE namespace.name = $1) AND token = $2
                """,
                [.text(namespace.databaseText), .text(token.databaseText)]
            ).rows.map { ChannelID(databaseText: $0.text(0)) }
            return Set(channels)
        }
    }

    /// Stores the newest message of a channel, and returns the devices to send it to.
    package func storeMessage(
        _ message: BroadcastChannel.Message?,
        of channel: BroadcastChannel,
        in namespace: Namespace
    ) async throws(StoreError) -> [DeviceToken] {
        guard let message else {
            return try await readPool.withConnection { try channel.subscribers($0, in: namespace) }
        }
        return try await write { transaction in
            guard let namespaceID = try transaction.namespaceID(of: namespace) else { return [] }
            try transaction.connection.send(
                """
                UPDATE channel SET message_id = $3, message_priority = $4, message_expiration = $5,
                    message_payload = $6, message_traceparent = $7 WHERE namespace = $1 AND id = $2
                """,
                [.integer(namespaceID), .text(channel.id.databaseText)] + Self.columns(of: message)
            )
            return try channel.subscribers(transaction.connection, in: namespace)
        }
    }
}

extension BroadcastChannel {
    /// Reads the channels with these identifiers.
    fileprivate static func fetch(_ connection: PostgresConnection, _ ids: Set<ChannelID>) throws -> [ChannelRecord] {
        try connection.run(
            """
            SELECT namespace.name, id, app, environment, policy, message_id, message_priority, message_expiration,
                message_payload, message_traceparent
            FROM channel JOIN namespace ON namespace.number = channel.namespace WHERE id = ANY ($1)
            """,
            [.texts(ids.map(\.databaseText))]
        ).rows.map { ChannelRecord(try Self(row: $0), in: Namespace(databaseText: $0.text(0))) }
    }

    /// Reads the devices to send a message to, in order of registration.
    fileprivate func subscribers(_ connection: PostgresConnection, in namespace: Namespace) throws -> [DeviceToken] {
        try connection.run(
            """
            SELECT device.token FROM subscription JOIN device ON device.number = subscription.device
            WHERE subscription.namespace = (SELECT number FROM namespace WHERE namespace.name = $1)
                AND subscription.channel = $2 AND device.standing = 'active' AND ($3 = ANY (device.topics) OR EXISTS (
                    SELECT 1 FROM device AS app WHERE app.namespace = device.namespace AND app.agent = device.agent
                        AND app.name = device.name AND app.standing = 'active' AND app.purpose IS NOT NULL
                        AND $3 = ANY (app.topics)
                ))
            ORDER BY device.number
            """,
            [.text(namespace.databaseText), .text(id.databaseText), .text(topic.databaseText)]
        ).rows.map { DeviceToken(databaseText: $0.text(0)) }
    }

    fileprivate init(row: PostgresRow) throws {
        guard let policy = StoragePolicy(rawValue: row.integer(4)) else {
            throw StoreError.failed(
                "the store contains a channel policy that this version does not know: \(row.integer(4))"
            )
        }
        self.init(
            id: ChannelID(databaseText: row.text(1)),
            app: Topic(databaseText: row.text(2)),
            environment: row.optionalText(3).flatMap(PushEnvironment.init(rawValue:)),
            policy: policy,
            message: row.optionalText(5).map { id in
                Message(
                    id: NotificationID(databaseText: id),
                    priority: row.integer(6),
                    expiration: row.integer(7),
                    payload: row.optionalBytes(8) ?? [],
                    traceparent: row.optionalText(9).map(TraceParent.init(rawValue:))
                )
            }
        )
    }
}
