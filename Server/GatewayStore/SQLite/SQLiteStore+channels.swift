internal import Foundation
internal import GRDB
package import WaypostSchema

extension SQLiteStore {
    /// Stores a channel.
    package func setChannel(_ channel: BroadcastChannel, in namespace: Namespace) async throws(StoreError) {
        try await perform { try $0.setChannel(channel, in: namespace) }
    }

    /// Deletes a channel and its subscriptions.
    package func removeChannel(_ id: ChannelID, in namespace: Namespace) async throws(StoreError) -> Bool {
        try await perform { try $0.removeChannel(id, in: namespace) }
    }

    /// Returns the channels of every namespace.
    package func channels() async throws(StoreError) -> [Namespace: [BroadcastChannel]] {
        let channels = try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT namespace.name, id, app, environment, policy,
                        message_id, message_priority, message_expiration, message_payload
                    FROM channel JOIN namespace ON namespace.number = channel.namespace
                    """
            ).map { (Namespace(stored: $0[0]), try BroadcastChannel(row: $0)) }
        }
        return Dictionary(grouping: channels, by: \.0).mapValues { channels in
            channels.map(\.1).sorted { $0.id.rawValue < $1.id.rawValue }
        }
    }

    /// Subscribes a device to exactly these channels.
    package func subscribe(
        _ token: DeviceToken,
        to channels: Set<ChannelID>,
        in namespace: Namespace
    ) async throws(StoreError) -> Set<ChannelID>? {
        try await perform(weight: channels.count) { try $0.subscribe(token, to: channels, in: namespace) }
    }

    /// Returns the channels that a device is subscribed to.
    package func subscriptions(
        of token: DeviceToken,
        in namespace: Namespace
    ) async throws(StoreError) -> Set<ChannelID> {
        let channels = try await read(in: namespace) { database, namespaceID in
            try String.fetchAll(
                database,
                sql: """
                    SELECT channel FROM subscription
                    WHERE namespace = ?1
                        AND device = (SELECT number FROM device WHERE namespace = ?1 AND token = ?2)
                    """,
                arguments: [namespaceID, token.stored]
            )
        }
        return Set((channels ?? []).map(ChannelID.init(stored:)))
    }

    /// Returns the devices that are subscribed to a channel.
    package func subscribers(
        to channel: BroadcastChannel,
        in namespace: Namespace
    ) async throws(StoreError) -> [DeviceToken] {
        let tokens = try await read(in: namespace) { database, namespaceID in
            try String.fetchAll(
                database,
                sql: """
                    SELECT device.token FROM subscription
                    JOIN device ON device.namespace = subscription.namespace AND device.number = subscription.device
                    JOIN device_topic ON device_topic.namespace = device.namespace
                        AND device_topic.device = device.number AND device_topic.topic = ?
                    WHERE subscription.namespace = ? AND subscription.channel = ? AND device.standing = 'active'
                    ORDER BY device.number
                    """,
                arguments: [channel.topic.stored, namespaceID, channel.id.stored]
            )
        }
        return (tokens ?? []).map(DeviceToken.init(stored:))
    }
}

extension StoreTransaction {
    /// Deletes the subscriptions of a device.
    func endSubscriptions(of device: Int, in namespace: Int) throws {
        try execute("DELETE FROM subscription WHERE namespace = ? AND device = ?", [namespace, device])
    }

    fileprivate mutating func setChannel(_ channel: BroadcastChannel, in namespace: Namespace) throws {
        try execute(
            "INSERT OR REPLACE INTO channel VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                try makeNumber(of: namespace), channel.id.stored, channel.app.stored, channel.environment?.rawValue,
                channel.policy.rawValue, channel.message?.id.stored, channel.message?.priority,
                channel.message?.expiration, channel.message.map { Data($0.payload) },
            ]
        )
    }

    fileprivate mutating func removeChannel(_ id: ChannelID, in namespace: Namespace) throws -> Bool {
        guard let namespaceID = try number(of: namespace) else { return false }
        try execute("DELETE FROM subscription WHERE namespace = ? AND channel = ?", [namespaceID, id.stored])
        try execute("DELETE FROM channel WHERE namespace = ? AND id = ?", [namespaceID, id.stored])
        return database.changesCount > 0
    }

    fileprivate mutating func subscribe(
        _ token: DeviceToken,
        to channels: Set<ChannelID>,
        in namespace: Namespace
    ) throws -> Set<ChannelID>? {
        guard let namespaceID = try number(of: namespace), let device = try device(token, in: namespaceID),
            device.standing == .active
        else { return nil }
        let former = try rows(
            "SELECT channel FROM subscription WHERE namespace = ? AND device = ?",
            [namespaceID, device.number]
        ) { ChannelID(stored: $0[0]) }
        try endSubscriptions(of: device.number, in: namespaceID)
        for channel in channels {
            try execute("INSERT INTO subscription VALUES (?, ?, ?)", [namespaceID, channel.stored, device.number])
        }
        return channels.subtracting(former)
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
