internal import CZlib
internal import GRDB
internal import WaypostSchema

extension StoredNotification {
    /// Reads a page of an agent's inbox, without expired notifications and those held back in low power mode.
    ///
    /// - Parameters:
    ///   - database: the connection.
    ///   - agent: the agent with the inbox.
    ///   - cursor: the sequence after which the page begins.
    ///   - limit: the maximum number of notifications on the page.
    ///   - now: the current time.
    ///   - onDamage: called with each notification whose payload is not as it was stored; it is not on the page.
    /// - Returns: the page, in ascending order of sequence.
    /// - Throws: `DatabaseError`.
    static func fetchPage(
        _ database: Database,
        of agent: AgentID,
        after cursor: Int,
        limit: Int,
        at now: Timestamp,
        onDamage: (Self) -> Void = { _ in }
    ) throws -> [Self] {
        try fetchPage(database, after: cursor, limit: limit, onDamage: onDamage) { cursor, remainingCount in
            (pageSQL, [agent.namespace.databaseText, agent.number, cursor, now.seconds, remainingCount])
        }
    }

    /// Reads pages until there are `limit` notifications whose payloads are as they were stored.
    private static func fetchPage(
        _ database: Database,
        after cursor: Int,
        limit: Int,
        onDamage: (Self) -> Void = { _ in },
        _ query: (_ cursor: Int, _ remainingCount: Int) -> (sql: String, arguments: StatementArguments)
    ) throws -> [Self] {
        var page: [Self] = []
        var cursor = cursor
        while page.count < limit {
            let remainingCount = limit - page.count
            let pageQuery = query(cursor, remainingCount)
            let rows = try database.rows(pageQuery.sql, pageQuery.arguments) { (try Self(row: $0), $0[11] as Int?) }
            for (notification, checksum) in rows {
                if let checksum, checksum != PayloadChecksum.of(notification.notification.payload) {
                    onDamage(notification)
                } else {
                    page.append(notification)
                }
            }
            guard rows.count == remainingCount, let last = rows.last?.0.sequence else { break }
            cursor = last
        }
        return page
    }

    /// Reads a page of the inbox of one device, without expired notifications.
    static func fetchPage(
        _ database: Database,
        of device: DeviceRecord,
        in namespace: Namespace,
        after cursor: Int,
        limit: Int,
        at now: Timestamp
    ) throws -> [Self] {
        try fetchPage(database, after: cursor, limit: limit) { cursor, remainingCount in
            let sql = """
                \(selectSQL) AND item.device = ?5 AND (item.deadline IS NULL OR item.deadline > ?4)
                ORDER BY item.sequence LIMIT ?6
                """
            return (sql, [namespace.databaseText, device.agent, cursor, now.seconds, device.number, remainingCount])
        }
    }

    /// The query for a page, which uses an index and its order.
    static let pageSQL = """
        \(selectSQL) AND (item.deadline IS NULL OR item.deadline > ?4)
            AND (item.priority >= 10 OR device.constrained = 0)
        ORDER BY item.sequence LIMIT ?5
        """

    /// The start of a query for notifications in the inbox of an agent.
    private static let selectSQL = """
        SELECT item.sequence, item.batch, item.id, device.token, item.topic, item.push_type, item.priority,
            item.expiration, item.collapse_id, item.payload, item.attempts > 0, item.checksum, item.traceparent
        FROM item CROSS JOIN device ON device.namespace = item.namespace AND device.number = item.device
        WHERE item.namespace = (SELECT number FROM namespace WHERE name = ?1) AND item.agent = ?2 AND item.sequence > ?3
        """

    private init(row: Row) throws {
        let notification = NewNotification(
            id: NotificationID(databaseText: row[2]),
            token: DeviceToken(databaseText: row[3]),
            topic: Topic(databaseText: row[4]),
            pushType: PushType(databaseText: row[5]),
            priority: row[6],
            expiration: row[7],
            collapseID: (row[8] as String?).map(CollapseIdentifier.init(databaseText:)),
            payload: try row.withUnsafeData(atIndex: 9) { $0.map([UInt8].init) ?? [] },
            traceparent: (row[12] as String?).map(TraceParent.init(rawValue:))
        )
        self.init(
            sequence: row[0],
            batch: BatchNumber(rawValue: row[1]),
            notification: notification,
            wasSent: row[10]
        )
    }
}

/// The checksum of a payload, which shows that the disk has changed it.
enum PayloadChecksum {
    /// Returns the CRC-32 of a payload (RFC 1952, section 8).
    static func of(_ payload: [UInt8]) -> Int {
        payload.withUnsafeBufferPointer { Int(crc32(0, $0.baseAddress, UInt32(truncatingIfNeeded: $0.count))) }
    }
}
