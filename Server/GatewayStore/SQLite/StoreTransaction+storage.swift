internal import GRDB
internal import PushRules
internal import WaypostSchema

/// Methods for the storage modes of apps.
extension StoreTransaction {
    /// Returns the storage modes of the apps for which one was set.
    mutating func storageModes(in namespace: Int) throws -> [Topic: StorageMode] {
        if let modes = cache.storageModes[namespace] { return modes }
        let apps = try AppSettings.fetchAll(database, in: namespace)
        let modes = Dictionary(apps.map { ($0.topic, $0.storage) }) { $1 }
        cache.setStorageModes(modes, of: namespace)
        return modes
    }

    /// Sets the storage mode of an app, and applies it to its stored notifications.
    mutating func setStorage(
        _ mode: StorageMode,
        for topic: Topic,
        in namespace: Namespace,
        at now: Timestamp
    ) throws -> StoreChanges {
        let namespaceID = try findOrCreateNamespaceID(of: namespace)
        let mode = StoragePolicy(mode, for: topic).mode
        let key: StatementArguments = [namespaceID, topic.databaseText]
        try execute("INSERT OR REPLACE INTO app VALUES (?, ?, ?)", key + [mode.rawValue])
        cache.setStorageModes(nil, of: namespaceID)
        var changes = StoreChanges()
        switch mode {
        case .apns:
            changes.removals = try removeNotifications(
                as: .collapsed,
                from: namespace,
                namespaceID,
                at: now,
                where: """
                    namespace = ?1 AND topic = ?2 AND sequence NOT IN
                        (SELECT MAX(sequence) FROM item WHERE namespace = ?1 AND topic = ?2 GROUP BY device)
                    """,
                key
            )
            try execute(
                "UPDATE item SET slot = ?3, loose = NULL WHERE namespace = ?1 AND topic = ?2",
                key + [Self.topicSlot]
            )
        case .lossless:
            try execute(Self.losslessSQL, key + [CollapseSlot.identifierPrefix])
        }
        return changes
    }

    /// Collapses the inbox of an agent whose session has ended: of an app with storage `apns`, each device keeps only
    /// the newest notification.
    ///
    /// After a crash, `time` is `nil`, because nobody knows it.
    mutating func collapseInbox(of agent: AgentID, at time: Timestamp?) throws -> StoreChanges {
        guard let namespaceID = try namespaceID(of: agent.namespace) else { return StoreChanges() }
        let places = try database.rows(
            "SELECT DISTINCT device, topic FROM item WHERE namespace = ? AND agent = ? AND loose = 1",
            [namespaceID, agent.number]
        ) { row -> StatementArguments in [row[0] as Int, row[1] as String] }
        var changes = StoreChanges()
        for place in places {
            changes.removals += try keepNewest(of: agent, namespaceID, [namespaceID, agent.number] + place, at: time)
        }
        changes.removals.sort { $0.sequence < $1.sequence }
        return changes
    }

    private mutating func keepNewest(
        of agent: AgentID,
        _ namespaceID: Int,
        _ place: StatementArguments,
        at time: Timestamp?
    ) throws -> [StoreChanges.Removal] {
        let condition = "namespace = ?1 AND agent = ?2 AND device = ?3 AND topic = ?4"
        let removals = try removeNotifications(
            as: .collapsed,
            from: agent.namespace,
            namespaceID,
            at: time,
            where: "\(condition) AND sequence < (SELECT MAX(sequence) FROM item WHERE \(condition))",
            place
        )
        try execute("UPDATE item SET slot = ?5, loose = NULL WHERE \(condition)", place + [Self.topicSlot])
        return removals
    }

    private static let topicSlot = CollapseSlot.storedTopic

    /// Notifications without a slot (stored for a reachable device) get none; the others get that of their identifier.
    private static let losslessSQL = """
        UPDATE item SET loose = NULL, slot = CASE WHEN slot IS NOT NULL THEN ?3 || collapse_id END
        WHERE namespace = ?1 AND topic = ?2
        """
}

extension AppSettings {
    /// Reads the apps of a namespace with a storage mode that was set.
    static func fetchAll(_ database: Database, in namespace: Int) throws -> [Self] {
        try database.rows("SELECT topic, storage FROM app WHERE namespace = ?", [namespace]) {
            Self(topic: Topic(databaseText: $0[0]), storage: try StoredEnum.read($0[1]))
        }
    }
}
