internal import GRDB
internal import WaypostSchema

extension LogQuery {
    /// A condition for a part of the log, and the index to use for it.
    private struct Place {
        var index: LogEntry.Index?
        var sql: String
        var arguments: StatementArguments
    }

    /// Reads the page.
    ///
    /// For a token, the page contains notifications sent to its device, and those sent to the token before any device
    /// had it.
    func fetch(_ database: Database, in namespace: Int) throws -> [LogEntry] {
        guard limit > 0, let lower = try lower(database, in: namespace) else { return [] }
        guard let token else {
            let page = try page(database, of: Place(sql: "log.namespace = ?", arguments: [namespace]), after: lower)
            return isBackward ? page.reversed() : page
        }
        let sql = "SELECT number FROM device WHERE namespace = ? AND token = ?"
        let device = try database.rows(sql, [namespace, token.stored]) { $0[0] as Int }.first
        var segments = LogSegments(in: namespace, after: lower, isBackward: isBackward)
        var entries: [LogEntry] = []
        while entries.count < limit, let segment = try segments.next(database) {
            for place in Self.places(of: token, device, [namespace, segment]) {
                entries += try page(database, of: place, after: lower)
            }
        }
        entries.sort { $0.sequence < $1.sequence }
        return isBackward ? entries.suffix(limit) : Array(entries.prefix(limit))
    }

    private var isBackward: Bool {
        start == .latest
    }

    /// Returns the sequence after which all matching entries are; `nil` if no entry can match.
    ///
    /// A clock may have been set back, so the sequence only tells where to begin, not which entries are recent enough.
    private func lower(_ database: Database, in namespace: Int) throws -> Int? {
        var lower = Int.min
        if case .after(let sequence) = start { lower = sequence }
        guard let since else { return lower }
        let sql = "SELECT min(first) FROM log_batch WHERE namespace = ? AND created >= ?"
        let first = try database.rows(sql, [namespace, since.rawValue]) { $0[0] as Int? }.first.flatMap(\.self)
        return first.map { max(lower, $0 - 1) }
    }

    /// Returns the conditions for the entries of a token in a segment.
    private static func places(of token: DeviceToken, _ device: Int?, _ segment: StatementArguments) -> [Place] {
        let nobodys = Place(
            index: .token,
            sql: "\(LogSegments.condition) AND log.token = ?",
            arguments: segment + [token.stored]
        )
        guard let device else { return [nobodys] }
        let sql = "\(LogSegments.condition) AND log.device = ?"
        return [nobodys, Place(index: .device, sql: sql, arguments: segment + [device])]
    }

    /// Reads the first matching entries, or the last ones in descending order.
    private func page(_ database: Database, of place: Place, after lower: Int) throws -> [LogEntry] {
        var condition = (sql: place.sql, arguments: place.arguments)
        let add = { (sql: String, arguments: StatementArguments) in
            condition.sql += " AND \(sql)"
            condition.arguments += arguments
        }
        add("log.sequence > ?", [lower])
        if let topic { add("log.topic = ?", [topic.stored]) }
        if let since { add("log_batch.created >= ?", [since.rawValue]) }
        if let states {
            let words = states.map(\.rawValue).sorted()
            add("log.state IN (\(words.map { _ in "?" }.joined(separator: ", ")))", StatementArguments(words))
        }
        return try LogEntry.fetchAll(
            database,
            by: place.index,
            where: "\(condition.sql) ORDER BY log.sequence \(isBackward ? "DESC" : "ASC") LIMIT ?",
            condition.arguments + [limit]
        )
    }
}
