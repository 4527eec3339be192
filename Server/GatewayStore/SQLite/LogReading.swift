internal import Delivery
internal import GRDB
internal import WaypostSchema

extension LogEntry {
    /// Reads the log entry at `sequence`.
    static func fetch(_ database: Database, at sequence: Int, in namespace: Int) throws -> Self? {
        try fetchAll(database, where: "log.namespace = ? AND log.sequence = ?", [namespace, sequence]).first
    }

    /// Reads the newest entry of the notification with the identifier `id`.
    static func fetch(_ database: Database, of id: NotificationID, in namespace: Int) throws -> Self? {
        var segments = LogSegments(in: namespace, isBackward: true)
        while let segment = try segments.next(database) {
            let condition = "\(LogSegments.condition) AND log.id = ? ORDER BY log.sequence DESC LIMIT 1"
            let entries = try fetchAll(database, by: .id, where: condition, [namespace, segment, id.stored])
            if let newest = entries.first { return newest }
        }
        return nil
    }

    /// An index of the log that a query must use; otherwise SQLite would scan the whole segment.
    enum Index: String {
        case id = "INDEXED BY log_id"
        case device = "INDEXED BY log_device"
        case token = "INDEXED BY log_token"
    }

    /// Reads the entries for which `condition` holds; it may include an order and a limit.
    static func fetchAll(
        _ database: Database,
        by index: Index? = nil,
        where condition: String,
        _ arguments: StatementArguments
    ) throws -> [Self] {
        let sql = "\(selectSQL) \(index?.rawValue ?? "") \(joinSQL) WHERE \(condition)"
        return try database.rows(sql, arguments, Self.init(row:))
    }

    private static let selectSQL = """
        SELECT log.sequence, log_batch.id, log_batch.created, log.state, log.ended, log.attempts, log.first_sent,
            log.last_sent, log.id, coalesce(device.token, log.token), log.topic, log.push_type, log.priority,
            log.expiration, log.collapse_id, log.status, log.reason, log.message, log.findings
        FROM log
        """

    private static let joinSQL = """
        CROSS JOIN log_batch ON log_batch.namespace = log.namespace AND log_batch.number = log.batch
        LEFT JOIN device ON device.namespace = log.namespace AND device.number = log.device
        """

    private init(row: Row) throws {
        self.init(
            sequence: row[0],
            batch: BatchID(stored: row[1]),
            subject: LogSubject(row: row),
            state: try StoredChoice.read(row[3]),
            rejection: Rejection(row: row),
            created: Timestamp(milliseconds: row[2]),
            attempts: DeliveryAttempts(row: row),
            ended: (row[4] as Int?).map(Timestamp.init(milliseconds:))
        )
    }
}

extension LogSubject {
    fileprivate init(row: Row) {
        self.init(
            id: (row[8] as String?).map(NotificationID.init(stored:)),
            token: (row[9] as String?).map(DeviceToken.init(stored:)),
            topic: (row[10] as String?).map(Topic.init(stored:)),
            pushType: (row[11] as String?).map(PushType.init(stored:)),
            priority: row[12],
            expiration: row[13],
            collapseID: (row[14] as String?).map(CollapseIdentifier.init(stored:)),
            findings: StoredFindings.decode(row[18])
        )
    }
}

extension Rejection {
    fileprivate init?(row: Row) {
        guard let status = row[15] as Int? else { return nil }
        self.init(
            status: status,
            reason: RejectionReason(stored: row[16]),
            message: StoredText.decode(row[17])
        )
    }
}

extension DeliveryAttempts {
    fileprivate init?(row: Row) {
        guard let first = row[6] as Int?, let last = row[7] as Int? else { return nil }
        self.init(first: Timestamp(milliseconds: first), last: Timestamp(milliseconds: last), count: row[5])
    }
}

/// The non-empty segments of a namespace's log, one after another.
///
/// A segment has 16,384 sequences. The indexes of the log begin with the segment, so entries that arrive together are
/// near each other in an index. A lookup searches segment by segment.
struct LogSegments {
    /// The SQL condition for the entries in a segment of a namespace.
    static let condition = "log.namespace = ? AND log.sequence >> 14 = ?"

    private static let bits = 14

    private let namespace: Int
    private let isBackward: Bool
    private let lower: Int
    private var bound: Int

    /// Begins after the sequence `lower`, or goes back to it from the newest sequence.
    init(in namespace: Int, after lower: Int = .min, isBackward: Bool) {
        self.namespace = namespace
        self.isBackward = isBackward
        self.lower = lower
        bound = isBackward ? .max : lower
    }

    /// Returns the next segment; `nil` at the end.
    mutating func next(_ database: Database) throws -> Int? {
        let sql = isBackward ? Self.previousSQL : Self.nextSQL
        let sequence = try database.rows(sql, [namespace, bound]) { $0[0] as Int }.first
        guard let sequence, sequence > lower else { return nil }
        let segment = sequence >> Self.bits
        bound = isBackward ? segment << Self.bits : (segment + 1) << Self.bits - 1
        return segment
    }

    private static let nextSQL =
        "SELECT sequence FROM log WHERE namespace = ? AND sequence > ? ORDER BY sequence LIMIT 1"

    private static let previousSQL =
        "SELECT sequence FROM log WHERE namespace = ? AND sequence < ? ORDER BY sequence DESC LIMIT 1"
}
