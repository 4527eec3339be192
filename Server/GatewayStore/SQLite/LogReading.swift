internal import GRDB
internal import PushRules
internal import WaypostSchema

extension LogTable {
    /// Returns whether entries in the table can have a key of this kind.
    func mayContain(_ key: LogKey) -> Bool {
        if case .token = key { self == .log } else { true }
    }
}

extension LogEntry {
    /// Reads the log entry at `sequence`.
    static func fetch(_ database: Database, at sequence: Int, in namespace: Int) throws -> Self? {
        for table in LogTable.allCases {
            let condition = "\(table).namespace = ? AND \(table).sequence = ?"
            let entries = try fetchAll(database, from: table, where: condition, [namespace, sequence])
            if let entry = entries.first { return entry }
        }
        return nil
    }

    /// Reads the newest entry of the notification with the identifier `id`.
    static func fetch(_ database: Database, of id: NotificationID, in namespace: Int) throws -> Self? {
        var segments = LogSegments(in: namespace, isBackward: true)
        while let (segment, isIndexed) = try segments.next(database) {
            for sequence in try segment.sequences(of: .id(id), isIndexed: isIndexed, database).reversed() {
                let entry = try fetch(database, at: sequence, in: namespace)
                if let entry, entry.subject.id == id { return entry }
            }
        }
        return nil
    }

    /// Reads the entries in a table for which `condition` holds; it may include an order and a limit.
    static func fetchAll(
        _ database: Database,
        from table: LogTable,
        where condition: String,
        _ arguments: StatementArguments
    ) throws -> [Self] {
        try database.rows("\(selectSQL(table)) WHERE \(condition)", arguments, read: Self.init(row:))
    }

    private static func selectSQL(_ table: LogTable) -> String {
        // The values of the columns that only `log` has.
        let (state, ended, token, rejection) =
            switch table {
            case .item: ("'\(DeliveryState.stored.rawValue)'", "NULL", "device.token", "NULL, NULL, NULL")
            case .log:
                (
                    "log.state", "log.ended", "coalesce(device.token, log.token)",
                    "log.status, log.reason, log.message"
                )
            }
        return """
            SELECT \(table).sequence, log_batch.id, log_batch.created, \(state), \(ended), \(table).attempts,
                \(table).first_sent, \(table).last_sent, \(table).id, \(token), \(table).topic, \(table).push_type,
                \(table).priority, \(table).expiration, \(table).collapse_id, \(rejection), \(table).findings,
                \(table).traceparent
            FROM \(table)
            CROSS JOIN log_batch ON log_batch.namespace = \(table).namespace AND log_batch.number = \(table).batch
            LEFT JOIN device ON device.namespace = \(table).namespace AND device.number = \(table).device
            """
    }

    private init(row: Row) throws {
        self.init(
            sequence: row[0],
            batch: BatchID(databaseText: row[1]),
            subject: LogSubject(row: row),
            state: try StoredEnum.read(row[3]),
            rejection: Rejection(row: row),
            createdAt: Timestamp(milliseconds: row[2]),
            attempts: DeliveryAttempts(row: row),
            endedAt: (row[4] as Int?).map(Timestamp.init(milliseconds:))
        )
    }
}

extension LogSubject {
    fileprivate init(row: Row) {
        self.init(
            id: (row[8] as String?).map(NotificationID.init(databaseText:)),
            token: (row[9] as String?).map(DeviceToken.init(databaseText:)),
            topic: (row[10] as String?).map(Topic.init(databaseText:)),
            pushType: (row[11] as String?).map(PushType.init(databaseText:)),
            priority: row[12],
            expiration: row[13],
            collapseID: (row[14] as String?).map(CollapseIdentifier.init(databaseText:)),
            findings: StoredFindings.decode(row[18]),
            traceparent: (row[19] as String?).map(TraceParent.init(rawValue:))
        )
    }
}

extension Rejection {
    fileprivate init?(row: Row) {
        guard let status = row[15] as Int? else { return nil }
        self.init(
            status: status,
            reason: (row[16] as String?).map(RejectionReason.init(databaseText:)),
            message: StoredString.decode(row[17])
        )
    }
}

extension DeliveryAttempts {
    fileprivate init?(row: Row) {
        guard let first = row[6] as Int?, let last = row[7] as Int? else { return nil }
        self.init(first: Timestamp(milliseconds: first), last: Timestamp(milliseconds: last), count: row[5])
    }
}
