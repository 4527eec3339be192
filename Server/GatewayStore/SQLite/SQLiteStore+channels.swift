internal import Foundation
internal import GRDB
package import WaypostSchema

extension SQLiteStore {
    /// Stores a channel.
    package func setChannel(_ channel: BroadcastChannel, in namespace: Namespace) async throws(StoreError) {
        try await perform { transaction in
            try transaction.execute(
                "INSERT OR REPLACE INTO channel VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    try transaction.makeNumber(of: namespace), channel.id.stored, channel.app.stored,
                    channel.environment?.rawValue, channel.policy.rawValue, channel.message?.id.stored,
                    channel.message?.priority, channel.message?.expiration, channel.message.map { Data($0.payload) },
                ]
            )
        }
    }

    /// Deletes a channel and its subscriptions.
    package func removeChannel(_ id: ChannelID, in namespace: Namespace) async throws(StoreError) -> Bool {
        try await perform { transaction in
            guard let namespaceID = try transaction.number(of: namespace) else { return false }
            for sql in [
                "DELETE FROM subscription WHERE namespace = ? AND channel = ?",
                "DELETE FROM channel WHERE namespace = ? AND id = ?",
            ] {
                try transaction.execute(sql, [namespaceID, id.stored])
            }
            return transaction.database.changesCount > 0
        }
    }

    /// Returns the channels of every namespace.
    package func channels() async throws(StoreError) -> [Namespace: [BroadcastChannel]] {
        try await readByNamespace(
            """
            SELECT namespace.name, id, app, environment, policy,
                message_id, message_priority, message_expiration, message_payload
            FROM channel JOIN namespace ON namespace.number = channel.namespace ORDER BY id
            """,
            BroadcastChannel.init(row:)
        )
    }

    /// Subscribes a device to exactly these channels.
    package func subscribe(
        _ token: DeviceToken,
        to channels: Set<ChannelID>,
        in namespace: Namespace
    ) async throws(StoreError) -> Set<ChannelID>? {
        try await perform(weight: channels.count) { transaction in
            guard let namespaceID = try transaction.number(of: namespace),
                let device = try transaction.device(token, in: namespaceID), device.standing == .active
            else { return nil }
            let former = try transaction.database.rows(
                "SELECT channel FROM subscription WHERE namespace = ? AND device = ?",
                [namespaceID, device.number]
            ) { ChannelID(stored: $0[0]) }
            try transaction.endSubscriptions(of: device.number, in: namespaceID)
            for channel in channels {
                let row: StatementArguments = [namespaceID, channel.stored, device.number]
                try transaction.execute("INSERT INTO subscription VALUES (?, ?, ?)", row)
            }
            return channels.subtracting(former)
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
                [namespaceID, token.stored]
            ) { ChannelID(stored: $0[0]) }
        }
        return Set(channels ?? [])
    }

    /// Returns the devices that are subscribed to a channel.
    package func subscribers(
        to channel: BroadcastChannel,
        in namespace: Namespace
    ) async throws(StoreError) -> [DeviceToken] {
        try await read(in: namespace) { database, namespaceID in
            try database.rows(
                """
                SELECT device.token FROM subscription
                JOIN device ON device.namespace = subscription.namespace AND device.number = subscription.device
                JOIN device_topic ON device_topic.namespace = device.namespace
                    AND device_topic.device = device.number AND device_topic.topic = ?
                WHERE subscription.namespace = ? AND subscription.channel = ? AND device.standing = 'active'
                ORDER BY device.number
                """,
                [channel.topic.stored, namespaceID, channel.id.stored]
            ) { DeviceToken(stored: $0[0]) }
        } ?? []
    }
}

extension StoreTransaction {
    /// Deletes the subscriptions of a device.
    func endSubscriptions(of device: Int, in namespace: Int) throws {
        try execute("DELETE FROM subscription WHERE namespace = ? AND device = ?", [namespace, device])
    }
}

extension BroadcastChannel {
    fileprivate init(row: Row) throws {
        let policy: Int = row[4]
        guard let policy = StoragePolicy(rawValue: policy) else {
            throw StoreError.failed("the store contains a channel policy that this version does not know: \(policy)")
        }
        self.init(
            id: ChannelID(stored: row[1]),
            app: Topic(stored: row[2]),
            environment: (row[3] as String?).flatMap(PushEnvironment.init(rawValue:)),
            policy: policy,
            message: (row[5] as String?).map { id in
                Message(
                    id: NotificationID(stored: id),
                    priority: row[6],
                    expiration: row[7],
                    payload: Array(row[8] as Data)
                )
            }
        )
    }
}
