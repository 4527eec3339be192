internal import GatewayStore
internal import PushRules
internal import WaypostSchema

extension LogTable {
    /// The statement that reads entries; a condition follows.
    fileprivate var selectSQL: String {
        // The values of the columns that only `log` has.
        let (state, ended, token, rejection) =
            switch self {
            case .item: ("'stored'", "NULL::bigint", "device.token", "NULL::bigint, NULL::text, NULL::text")
            case .log:
                (
                    "log.state", "log.ended", "coalesce(device.token, log.token)",
                    "log.status, log.reason, log.message"
                )
            }
        return """
            SELECT \(rawValue).sequence, log_batch.id, log_batch.created, \(state), \(ended), \(rawValue).attempts,
                \(rawValue).first_sent, \(rawValue).last_sent, \(rawValue).id, \(token), \(rawValue).topic,
                \(rawValue).push_type, \(rawValue).priority, \(rawValue).expiration, \(rawValue).collapse_id,
                \(rejection), \(rawValue).findings, \(rawValue).traceparent
            FROM \(rawValue) JOIN log_batch ON log_batch.number = \(rawValue).batch
            LEFT JOIN device ON device.number = \(rawValue).device
            WHERE \(rawValue).namespace = (SELECT number FROM namespace WHERE name = $1)
            """
    }
}

extension LogEntry {
    /// Reads the entries at `sequences`, in ascending order.
    static func fetchAll(
        _ connection: PostgresConnection,
        at sequences: [Int],
        in namespace: Namespace
    ) throws -> [Self] {
        try fetchAll(
            connection,
            where: { "\($0).sequence = ANY ($2)" },
            "ORDER BY 1",
            arguments: [.text(namespace.databaseText), .integers(sequences)]
        )
    }

    /// Reads the newest entry of the notification with the identifier `id`.
    static func fetch(_ connection: PostgresConnection, of id: NotificationID, in namespace: Namespace) throws -> Self?
    {
        try fetchAll(
            connection,
            where: { "\($0).id = $2" },
            "ORDER BY 1 DESC LIMIT 1",
            arguments: [.text(namespace.databaseText), .text(id.databaseText)]
        ).first
    }

    /// Reads the entries for which a condition holds, in an order and up to a limit.
    fileprivate static func fetchAll(
        _ connection: PostgresConnection,
        where condition: (_ table: String) -> String,
        _ orderAndLimit: String,
        arguments: [PostgresValue]
    ) throws -> [Self] {
        let parts = LogTable.allCases.map { table in
            "(\(table.selectSQL) AND \(condition(table.rawValue)) \(orderAndLimit))"
        }
        return try connection.run("\(parts.joined(separator: " UNION ALL ")) \(orderAndLimit)", arguments)
            .rows.map(Self.init(row:))
    }

    private init(row: PostgresRow) throws {
        self.init(
            sequence: row.integer(0),
            batch: BatchID(databaseText: row.text(1)),
            subject: LogSubject(row: row),
            state: try StoredEnum.read(row.text(3)),
            rejection: Rejection(row: row),
            createdAt: Timestamp(milliseconds: row.integer(2)),
            attempts: DeliveryAttempts(row: row),
            endedAt: row.optionalInteger(4).map(Timestamp.init(milliseconds:))
        )
    }
}

extension LogQuery {
    /// Reads the page.
    ///
    /// For a token, the page contains notifications sent to its device, and those sent to the token before any device
    /// had it. It ends below the sequences of batches that are being stored: a follower must not pass these.
    func fetch(_ connection: PostgresConnection, in namespace: Namespace) throws -> [LogEntry] {
        guard limit > 0 else { return [] }
        var arguments: [PostgresValue] = [.text(namespace.databaseText)]
        func add(_ argument: PostgresValue) -> String {
            arguments.append(argument)
            return "$\(arguments.count)"
        }
        var lower = 0
        if case .after(let sequence) = start { lower = max(0, sequence) }
        let horizon = try connection.run("SELECT horizon()").rows.first?.integer(0) ?? 0
        let range = (above: add(.integer(lower)), last: add(.integer(horizon)))
        let trace = trace.map { add(.text($0.rawValue)) }
        let topic = topic.map { add(.text($0.databaseText)) }
        let since = since.map { add(.integer($0.rawValue)) }
        let states = states.map { add(.texts($0.map(\.rawValue).sorted())) }
        let token = token.map { add(.text($0.databaseText)) }
        let limitParameter = add(.integer(limit))
        let isBackward = start == .latest
        let entries = try LogEntry.fetchAll(
            connection,
            where: { table in
                var conditions = ["\(table).sequence > \(range.above) AND \(table).sequence <= \(range.last)"]
                if let trace {
                    conditions.append(
                        "\(table).traceparent IS NOT NULL AND substr(\(table).traceparent, 4, 32) = \(trace)"
                    )
                }
                if let topic { conditions.append("\(table).topic = \(topic)") }
                if let since { conditions.append("log_batch.created >= \(since)") }
                if let states { conditions.append("\(table == "log" ? "log.state" : "'stored'") = ANY (\(states))") }
                if let token {
                    let deviceCondition =
                        "\(table).device = (SELECT number FROM device WHERE token = \(token) AND namespace ="
                        + " (SELECT number FROM namespace WHERE name = $1))"
                    // An entry with a device has its token.
                    conditions.append(
                        table == "log"
                            ? "(\(deviceCondition) OR device.token IS NULL AND log.token = \(token))" : deviceCondition
                    )
                }
                return conditions.joined(separator: " AND ")
            },
            "ORDER BY 1 \(isBackward ? "DESC" : "ASC") LIMIT \(limitParameter)",
            arguments: arguments
        )
        return isBackward ? entries.reversed() : entries
    }
}

extension LogSubject {
    fileprivate init(row: PostgresRow) {
        self.init(
            id: row.optionalText(8).map(NotificationID.init(databaseText:)),
            token: row.optionalText(9).map(DeviceToken.init(databaseText:)),
            topic: row.optionalText(10).map(Topic.init(databaseText:)),
            pushType: row.optionalText(11).map(PushType.init(databaseText:)),
            priority: row.optionalInteger(12),
            expiration: row.optionalInteger(13),
            collapseID: row.optionalText(14).map(CollapseIdentifier.init(databaseText:)),
            findings: StoredFindings.decode(row.optionalText(18)),
            traceparent: row.optionalText(19).map(TraceParent.init(rawValue:))
        )
    }
}

extension Rejection {
    fileprivate init?(row: PostgresRow) {
        guard let status = row.optionalInteger(15) else { return nil }
        self.init(
            status: status,
            reason: row.optionalText(16).map(RejectionReason.init(databaseText:)),
            message: StoredString.decode(row.text(17))
        )
    }
}

extension DeliveryAttempts {
    fileprivate init?(row: PostgresRow) {
        guard let first = row.optionalInteger(6), let last = row.optionalInteger(7) else { return nil }
        self.init(
            first: Timestamp(milliseconds: first),
            last: Timestamp(milliseconds: last),
            count: row.integer(5)
        )
    }
}
