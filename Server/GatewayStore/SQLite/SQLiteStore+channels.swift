internal import Foundation
internal import GRDB
package import WaypostSchema

extension SQLiteStore {
    /// Stores a new channel, unless its app already has `limit` channels in its environment.
    package func addChannel(
        _ channel: BroadcastChannel,
        in namespace: Namespace,
        limit: Int
    ) async throws(StoreError) -> Bool {
        try await write { transaction in
            let namespaceID = try transaction.findOrCreateNamespaceID(of: namespace)
            let count = try transaction.database.rows(
                "SELECT COUNT(*) FROM channel WHERE namespace = ? AND app = ? AND environment IS ?",
                [namespaceID, channel.app.databaseText, channel.environment?.rawValue]
            ) { $0[0] as Int }
            guard count.allSatisfy({ $0 < limit }) else { return false }
            try transaction.execute(
                "INSERT OR REPLACE INTO channel VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    namespaceID, channel.id.databaseText, channel.app.databaseText, channel.environment?.rawValue,
                    channel.policy.rawValue,
                ] + Self.columns(of: channel.message)
            )
            return true
        }
    }

    private static func columns(of message: BroadcastChannel.Message?) -> StatementArguments {
        [
            message?.id.databaseText, message?.priority, message?.expiration, message.map { Data($0.payload) },
            message?.traceparent?.rawValue,
        ]
    }

    /// Deletes a channel and its subscriptions.
    package func removeChannel(_ id: ChannelID, in namespace: Namespace) async throws(StoreError) -> Bool {
        try await write { transaction in
            guard let namespaceID = try transaction.namespaceID(of: namespace) else { return false }
            for sql in [
                "DELETE FROM subscription WHERE namespace = ? AND channel = ?",
                "DELETE FROM channel WHERE namespace = ? AND id = ?",
            ] {
                try transaction.execute(sql, [namespaceID, id.databaseText])
            }
            return transaction.database.changesCount > 0
        }
    }

    /// Returns the channels with these identifiers.
    package func channels(_ ids: Set<ChannelID>) async throws(StoreError) -> [ChannelID: ChannelRecord] {
        guard !ids.isEmpty else { return [:] }
        let channels = try await read { try BroadcastChannel.fetch($0, ids) }
        // The gateway creates identifiers at random, so no two namespaces share one.
        return Dictionary(channels.map { ($0.channel.id, $0) }) { first, _ in first }
    }

    /// Returns the channels of an app.
    package func channels(of app: Topic, in namespace: Namespace) async throws(StoreError) -> [BroadcastChannel] {
        try await read(in: namespace) { try BroadcastChannel.fetch($0, of: app, in: $1) } ?? []
    }

    /// Subscribes a device to exactly these channels.
    package func subscribe(
        _ token: DeviceToken,
        to channels: Set<ChannelID>,
        in namespace: Namespace
    ) async throws(StoreError) -> [BroadcastChannel]? {
        try await write(weight: channels.count) { transaction in
            guard let namespaceID = try transaction.namespaceID(of: namespace),
                let device = try transaction.device(token, in: namespaceID), device.standing == .active
            else { return nil }
            let previous = try transaction.database.rows(
                "SELECT channel FROM subscription WHERE namespace = ? AND device = ?",
                [namespaceID, device.number]
            ) { ChannelID(databaseText: $0[0]) }
            try transaction.deleteSubscriptions(of: device.number, in: namespaceID)
            for channel in channels {
                let row: StatementArguments = [namespaceID, channel.databaseText, device.number]
                try transaction.execute("INSERT INTO subscription VALUES (?, ?, ?)", row)
            }
            return try channels.subtracting(previous).flatMap { id in
                try BroadcastChannel.fetch(transaction.database, [id]).map(\.channel)
            }
        }
    }

    /// Returns the channels that a device is subscribed to.
    package func subscriptions(
        of token: DeviceToken,
        in namespace: Namespace
    ) async throws(StoreError) -> Set<ChannelID> {
        let channels = try await read(in: namespace) { database, namespaceID in
            try database.rows(
                """
                SELECT channel FROM subscription
                WHERE namespace = ?1 AND device = (SELECT number FROM device WHERE namespace = ?1 AND token = ?2)
                """,
                [namespaceID, token.databaseText]
            ) { ChannelID(databaseText: $0[0]) }
        }
        return Set(channels ?? [])
    }

    /// Stores the newest message of a channel, and returns the devices to send it to.
    package func storeMessage(
        _ message: BroadcastChannel.Message?,
        of channel: BroadcastChannel,
        in namespace: Namespace
    ) async throws(StoreError) -> [DeviceToken] {
        guard let message else {
            return try await read(in: namespace) { try Self.subscribers(to: channel, $0, in: $1) } ?? []
        }
        return try await write { transaction in
            guard let namespaceID = try transaction.namespaceID(of: namespace) else { return [] }
            try transaction.execute(
                """
                UPDATE channel SET message_id = ?, message_priority = ?, message_expiration = ?, message_payload = ?,
                    message_traceparent = ?
                WHERE namespace = ? AND id = ?
                """,
                Self.columns(of: message) + [namespaceID, channel.id.databaseText]
            )
            return try Self.subscribers(to: channel, transaction.database, in: namespaceID)
        }
    }

    private static func subscribers(
        to channel: BroadcastChannel,
        _ database: Database,
        in namespace: Int
    ) throws -> [DeviceToken] {
        // CROSS JOIN keeps SQLite from reading all devices of the namespace.
        try database.rows(
            """
            SELECT device.token FROM subscription
            CROSS JOIN device ON device.namespace = subscription.namespace AND device.number = subscription.device
            WHERE subscription.namespace = ?1 AND subscription.channel = ?2 AND device.standing = 'active' AND (
                EXISTS (
                    SELECT 1 FROM device_topic WHERE device_topic.namespace = device.namespace
                        AND device_topic.device = device.number AND device_topic.topic = ?3
                ) OR EXISTS (
                    SELECT 1 FROM device AS app INDEXED BY device_agent CROSS JOIN device_topic
                        ON device_topic.namespace = app.namespace AND device_topic.device = app.number
                    WHERE app.namespace = device.namespace AND app.agent = device.agent AND app.name = device.name
                        AND app.standing = 'active' AND app.purpose IS NOT NULL AND device_topic.topic = ?3
                )
            )
            ORDER BY subscription.device
            """,
            [namespace, channel.id.databaseText, channel.topic.databaseText]
        ) { DeviceToken(databaseText: $0[0]) }
    }
}

extension StoreTransaction {
    /// Deletes the subscriptions of a device.
    func deleteSubscriptions(of device: Int, in namespace: Int) throws {
        try execute("DELETE FROM subscription WHERE namespace = ? AND device = ?", [namespace, device])
    }
}

extension BroadcastChannel {
    /// Reads the channels with these identifiers.
    static func fetch(_ database: Database, _ ids: Set<ChannelID>) throws -> [ChannelRecord] {
        try database.rows(
            """
            SELECT namespace.name, id, app, environment, policy,
                message_id, message_priority, message_expiration, message_payload, message_traceparent
            FROM channel JOIN namespace ON namespace.number = channel.namespace
            WHERE id IN (SELECT value FROM json_each(?))
            """,
            [String(decoding: try JSONEncoder().encode(ids.map(\.databaseText)), as: UTF8.self)]
        ) { ChannelRecord(try Self(row: $0), in: Namespace(databaseText: $0[0])) }
    }

    /// Reads the channels of an app, without their messages.
    static func fetch(_ database: Database, of app: Topic, in namespace: Int) throws -> [Self] {
        try database.rows(
            """
            SELECT NULL, id, app, environment, policy, NULL, NULL, NULL, NULL, NULL
            FROM channel WHERE namespace = ? AND app = ? ORDER BY id
            """,
            [namespace, app.databaseText],
            read: Self.init(row:)
        )
    }

    private init(row: Row) throws {
        let policy: Int = row[4]
        guard let policy = StoragePolicy(rawValue: policy) else {
            throw StoreError.failed("the store contains a channel policy that this version does not know: \(policy)")
        }
        self.init(
            id: ChannelID(databaseText: row[1]),
            app: Topic(databaseText: row[2]),
            environment: (row[3] as String?).flatMap(PushEnvironment.init(rawValue:)),
            policy: policy,
            message: (row[5] as String?).map { id in
                Message(
                    id: NotificationID(databaseText: id),
                    priority: row[6],
                    expiration: row[7],
                    payload: Array(row[8] as Data),
                    traceparent: (row[9] as String?).map(TraceParent.init(rawValue:))
                )
            }
        )
    }
}
