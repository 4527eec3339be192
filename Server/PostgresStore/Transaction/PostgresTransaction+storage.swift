internal import GatewayStore
internal import PushRules
internal import WaypostSchema

/// Methods for the storage modes of apps.
extension PostgresTransaction {
    /// Sets the storage mode of an app, and applies it to its stored notifications.
    mutating func setStorage(
        _ mode: StorageMode,
        for topic: Topic,
        in namespace: Namespace,
        at now: Timestamp
    ) throws -> StoreChanges {
        let namespaceID = try findOrCreateNamespaceID(of: namespace)
        // Waits for the batches that are being stored with the former mode.
        try connection.send("SELECT 1 FROM namespace WHERE number = $1 FOR UPDATE", [.integer(namespaceID)])
        let mode = StoragePolicy(mode, for: topic).mode
        let key: [PostgresValue] = [.integer(namespaceID), .text(topic.databaseText)]
        try connection.send(
            """
            INSERT INTO app (namespace, topic, storage) VALUES ($1, $2, $3)
            ON CONFLICT (namespace, topic) DO UPDATE SET storage = excluded.storage
            """,
            key + [.text(mode.rawValue)]
        )
        var changes = StoreChanges()
        switch mode {
        case .apns:
            changes.removals = try removeNotifications(
                as: .collapsed,
                from: namespace,
                at: now,
                """
                DELETE FROM item WHERE namespace = $1 AND topic = $2 AND sequence NOT IN (
                    SELECT max(sequence) FROM item WHERE namespace = $1 AND topic = $2 GROUP BY device
                ) RETURNING *
                """,
                key
            )
            try connection.send(
                "UPDATE item SET slot = $3, is_loose = false WHERE namespace = $1 AND topic = $2",
                key + [.text(CollapseSlot.storedTopic)]
            )
        case .lossless:
            try connection.send(
                """
                UPDATE item SET is_loose = false, slot = CASE WHEN slot IS NOT NULL THEN $3 || collapse_id END
                WHERE namespace = $1 AND topic = $2
                """,
                key + [.text(CollapseSlot.identifierPrefix)]
            )
        }
        return enqueue(changes, in: namespace)
    }

    /// Collapses the inbox of an agent whose session has ended: of an app with storage `apns`, each device keeps only
    /// the newest notification.
    ///
    /// After a crash, `time` is `nil`, because nobody knows it.
    mutating func collapseInbox(of agent: AgentID, at time: Timestamp?) throws -> StoreChanges {
        let places = Array(
            try connection.run(
                "SELECT DISTINCT device, topic FROM item WHERE agent = $1 AND is_loose",
                [.integer(agent.number)]
            ).rows.map { (device: $0.integer(0), topic: $0.text(1)) }
        )
        guard !places.isEmpty else { return StoreChanges() }
        let arguments: [PostgresValue] = [
            .integer(agent.number), .integers(places.map(\.device)), .texts(places.map(\.topic)),
        ]
        let removals = try removeNotifications(
            as: .collapsed,
            from: agent.namespace,
            at: time,
            """
            DELETE FROM item USING (
                SELECT device, topic, max(sequence) AS newest FROM item
                JOIN unnest($2::bigint[], $3::text[]) AS place (device, topic) USING (device, topic)
                WHERE agent = $1 GROUP BY device, topic
            ) AS place
            WHERE agent = $1 AND item.device = place.device AND item.topic = place.topic AND sequence < newest
            RETURNING item.*
            """,
            arguments
        )
        try connection.send(
            """
            UPDATE item SET slot = '\(CollapseSlot.storedTopic)', is_loose = false
            FROM unnest($2::bigint[], $3::text[]) AS place (device, topic)
            WHERE agent = $1 AND item.device = place.device AND item.topic = place.topic
            """,
            arguments
        )
        return StoreChanges(removals: removals)
    }
}
