internal import GRDB
internal import WaypostSchema

extension LogQuery {
    /// Reads the page.
    ///
    /// For a token, the page contains notifications sent to its device, and those sent to the token before any device
    /// had it.
    func fetch(_ database: Database, in namespace: Int) throws -> [LogEntry] {
        guard limit > 0, let lower = try lower(database, in: namespace), lower < .max else { return [] }
        let names = try names(database, in: namespace)
        var segments = LogSegments(in: namespace, after: lower, isBackward: isBackward)
        var entries: [LogEntry] = []
        while entries.count < limit, let (segment, isIndexed) = try segments.next(database) {
            let missing = limit - entries.count
            guard let names else {
                entries += try page(database, of: segment, after: lower, limit: missing)
                continue
            }
            let sequences = try names.flatMap { try segment.sequences(of: $0, isIndexed: isIndexed, database) }
            entries += try self.entries(database, at: Set(sequences).filter { $0 > lower }, of: segment, limit: missing)
        }
        return isBackward ? entries.reversed() : entries
    }

    private var isBackward: Bool {
        start == .latest
    }

    /// Returns the sequence after which all matching entries are; `nil` if no entry can match.
    ///
    /// A clock may have been set back, so the sequence only tells where to begin, not which entries are recent enough.
    private func lower(_ database: Database, in namespace: Int) throws -> Int? {
        var lower = 0
        if case .after(let sequence) = start { lower = max(0, sequence) }
        guard let since else { return lower }
        let sql = "SELECT min(first) FROM log_batch WHERE namespace = ? AND created >= ?"
        let first = try database.rows(sql, [namespace, since.rawValue]) { $0[0] as Int? }.first.flatMap(\.self)
        return first.map { max(lower, $0 - 1) }
    }

    /// Returns the names of which each matching entry has one; `nil` if the query names nothing.
    private func names(_ database: Database, in namespace: Int) throws -> [LogName]? {
        // A trace has fewer entries than a device.
        if let trace { return [.trace(trace)] }
        guard let token else { return nil }
        let sql = "SELECT number FROM device WHERE namespace = ? AND token = ?"
        return try [.token(token)] + database.rows(sql, [namespace, token.stored]) { LogName.device($0[0]) }
    }

    /// Reads the matching entries of a segment, in the order of the query.
    private func page(
        _ database: Database,
        of segment: LogSegment,
        after lower: Int,
        limit: Int
    ) throws -> [LogEntry] {
        let entries = try LogTable.allCases.flatMap { table in
            var condition = condition(in: table, segment.namespace)
            condition.add(
                "\(table).sequence BETWEEN ? AND ?",
                [max(lower + 1, segment.sequences.lowerBound), segment.sequences.upperBound]
            )
            return try LogEntry.fetchAll(
                database,
                from: table,
                where: "\(condition.sql) ORDER BY \(table).sequence \(isBackward ? "DESC" : "ASC") LIMIT ?",
                condition.arguments + [limit]
            )
        }
        return Array(ordered(entries).prefix(limit))
    }

    /// Reads the matching ones of the entries at `sequences`, in the order of the query.
    ///
    /// It reads a few at a time, because there may be far more than the page needs.
    private func entries(
        _ database: Database,
        at sequences: Set<Int>,
        of segment: LogSegment,
        limit: Int
    ) throws -> [LogEntry] {
        var rest = (isBackward ? sequences.sorted(by: >) : sequences.sorted())[...]
        var entries: [LogEntry] = []
        while entries.count < limit, !rest.isEmpty {
            let next = StoreTransaction.list(Array(rest.prefix(limit)))
            rest = rest.dropFirst(limit)
            entries += try ordered(
                LogTable.allCases.flatMap { table in
                    var condition = condition(in: table, segment.namespace)
                    condition.add("\(table).sequence IN (SELECT value FROM json_each(?))", [next])
                    return try LogEntry.fetchAll(
                        database,
                        from: table,
                        where: condition.sql,
                        condition.arguments
                    )
                }
            ).filter(matches)
        }
        return Array(entries.prefix(limit))
    }

    /// Returns whether an entry has the names of the query: different names may have the same hash.
    private func matches(_ entry: LogEntry) -> Bool {
        (token == nil || entry.subject.token == token) && (trace == nil || entry.subject.traceparent?.traceID == trace)
    }

    private func ordered(_ entries: [LogEntry]) -> [LogEntry] {
        entries.sorted { isBackward ? $0.sequence > $1.sequence : $0.sequence < $1.sequence }
    }

    /// Returns the condition for the entries in a table that match the query, wherever they are.
    private func condition(in table: LogTable, _ namespace: Int) -> Condition {
        // The plus keeps SQLite from using an index of inboxes, which is not in the order of sequences.
        var condition = Condition(sql: "+\(table).namespace = ?", arguments: [namespace])
        if let topic { condition.add("\(table).topic = ?", [topic.stored]) }
        if let since { condition.add("log_batch.created >= ?", [since.rawValue]) }
        guard let states else { return condition }
        switch table {
        case .item: if !states.contains(.stored) { condition.add("false", []) }
        case .log:
            let words = states.map(\.rawValue).sorted()
            condition.add("log.state IN (\(words.map { _ in "?" }.joined(separator: ", ")))", StatementArguments(words))
        }
        return condition
    }

    /// A condition of SQL, with its arguments.
    private struct Condition {
        var sql: String
        var arguments: StatementArguments

        mutating func add(_ sql: String, _ arguments: StatementArguments) {
            self.sql += " AND \(sql)"
            self.arguments += arguments
        }
    }
}
