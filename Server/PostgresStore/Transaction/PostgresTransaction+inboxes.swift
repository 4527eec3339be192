internal import GatewayStore
internal import PushRules
internal import WaypostSchema

/// The transient notifications that streams read from inboxes.
extension PostgresTransaction {
    /// Marks transient notifications as read by this gateway; returns those that no gateway had read before.
    func markAsRead(_ sequences: [Int]) throws -> Set<Int> {
        Set(
            try connection.run(
                """
                UPDATE flight SET is_unread = false, gateway = $2 WHERE sequence = ANY ($1) AND is_unread
                RETURNING sequence
                """,
                [.integers(sequences), .integer(handle.gateway)]
            ).rows.map { $0.integer(0) }
        )
    }
}

extension StoredNotification {
    /// Reads a page of an agent's inbox, with the transient notifications that its stream has yet to read, and without
    /// expired notifications and those held back in low power mode.
    ///
    /// Both are read from one state of the database: otherwise a transient notification could hide older ones that came
    /// with it.
    ///
    /// - Returns: the page in order, and the sequences of the transient notifications in it.
    /// - Throws: `PostgresError`.
    static func fetchPage(
        _ connection: PostgresConnection,
        of agent: AgentID,
        after cursor: Int,
        limit: Int,
        at now: Timestamp
    ) throws -> (page: [Self], unreadSequences: Set<Int>) {
        let rows = try connection.run(
            """
            (SELECT item.sequence, item.batch, item.id, device.token, item.topic, item.push_type, item.priority,
                item.expiration, item.collapse_id, item.payload, item.attempts > 0, false, item.traceparent
            FROM item JOIN device ON device.number = item.device
            WHERE item.agent = $1 AND item.sequence > $2 AND (item.deadline IS NULL OR item.deadline > $3)
                AND (item.priority >= 10 OR NOT device.is_constrained)
                AND item.namespace + 0 = (SELECT number FROM namespace WHERE namespace.name = $5)
            ORDER BY item.sequence LIMIT $4)
            UNION ALL
            (SELECT flight.sequence, flight.batch, flight.id, device.token, flight.topic, flight.push_type,
                flight.priority, 0::bigint, flight.collapse_id, flight.payload, false, true,
                flight.traceparent
            FROM flight JOIN device ON device.number = flight.device
            WHERE flight.agent = $1 AND is_unread
                AND flight.namespace = (SELECT number FROM namespace WHERE namespace.name = $5)
            ORDER BY flight.sequence LIMIT $4)
            ORDER BY 1 LIMIT $4
            """,
            [
                .integer(agent.number), .integer(cursor), .integer(now.seconds), .integer(max(0, limit)),
                .text(agent.namespace.databaseText),
            ]
        ).rows
        return (rows.map(Self.init(row:)), Set(rows.filter { $0.boolean(11) }.map { $0.integer(0) }))
    }

    /// Reads a page of the inbox of one device, without expired notifications.
    static func fetchPage(
        _ connection: PostgresConnection,
        ofDevice device: Int,
        after cursor: Int,
        limit: Int,
        at now: Timestamp
    ) throws -> [Self] {
        try connection.run(
            """
            SELECT item.sequence, item.batch, item.id, device.token, item.topic, item.push_type, item.priority,
                item.expiration, item.collapse_id, item.payload, item.attempts > 0, false, item.traceparent
            FROM item JOIN device ON device.number = item.device
            WHERE item.device = $1 AND item.sequence > $2 AND (item.deadline IS NULL OR item.deadline > $3)
            ORDER BY item.sequence LIMIT $4
            """,
            [.integer(device), .integer(cursor), .integer(now.seconds), .integer(limit)]
        ).rows.map(Self.init(row:))
    }

    /// Reads a notification from the columns of `fetchPage`.
    init(row: PostgresRow) {
        self.init(
            sequence: row.integer(0),
            batch: BatchNumber(rawValue: row.integer(1)),
            notification: NewNotification(
                id: NotificationID(databaseText: row.text(2)),
                token: DeviceToken(databaseText: row.text(3)),
                topic: Topic(databaseText: row.text(4)),
                pushType: PushType(databaseText: row.text(5)),
                priority: row.integer(6),
                expiration: row.optionalInteger(7),
                collapseID: row.optionalText(8).map(CollapseIdentifier.init(databaseText:)),
                payload: row.optionalBytes(9) ?? [],
                traceparent: row.optionalText(12).map(TraceParent.init(rawValue:))
            ),
            wasSent: row.boolean(10)
        )
    }
}
