internal import GRDB
internal import WaypostSchema

extension LogQuery {
    /// Reads the page.
    ///
    /// For a token, the page contains notifications sent to its device, and those sent to the token before any device
    /// had it.
    func fetch(_ database: Database, in namespace: Int) throws -> [LogEntry] {
        guard limit > 0, let lowerBound = try lowerBound(database, in: namespace), lowerBound < .max else { return [] }
        let keys = try keys(database, in: namespace)
        var segments = LogSegments(in: namespace, after: lowerBound, isBackward: isBackward)
        var entries: [LogEntry] = []
        while entries.count < limit, let (segment, isIndexed) = try segments.next(database) {
            let remainingCount = limit - entries.count
            guard let keys else {
                entries += try page(database, of: segment, after: lowerBound, limit: remainingCount)
                continue
            }
            let sequences = try keys.flatMap { try segment.sequences(of: $0, isIndexed: isIndexed, database) }
            entries += try self.entries(
                database,
                at: Set(sequences).filter { $0 > lowerBound },
                of: segment,
                limit: remainingCount
            )
        }
        return isBackward ? entries.reversed() : entries
    }

    private var isBackward: Bool {
        start == .latest
    }

    /// Returns a sequence that all matching entries are above; `nil` if no entry can match.
    ///
    /// A clock may have been set back, so later entries may still be too old.
    private func lowerBound(_ database: Database, in namespace: Int) throws -> Int? {
        var lowerBound = 0
        if case .after(let sequence) = start { lowerBound = max(0, sequence) }
        guard let since else { return lowerBound }
        let sql = "SELECT min(first) FROM log_batch WHERE namespace = ? AND created >= ?"
        let first = try database.rows(sql, [namespace, since.rawValue]) { $0[0] as Int? }.first.flatMap(\.self)
        return first.map { max(lowerBound, $0 - 1) }
    }

    /// Returns keys of which each matching entry has one; `nil` if the query has neither a token nor a trace.
    private func keys(_ database: Database, in namespace: Int) throws -> [LogKey]? {
        // A trace has fewer entries than a device.
        if let trace { return [.trace(trace)] }
        guard let token else { return nil }
        let sql = "SELECT number FROM device WHERE namespace = ? AND token = ?"
        return try [.token(token)] + database.rows(sql, [namespace, token.databaseText]) { LogKey.device($0[0]) }
    }

    /// Reads the matching entries of a segment, in the order of the query.
    private func page(
        _ database: Database,
        of segment: LogSegment,
        after lowerBound: Int,
        limit: Int
    ) throws -> [LogEntry] {
        let entries = try LogTable.allCases.flatMap { table in
            var condition = condition(in: table, segment.namespace)
            condition.add(
                "\(table).sequence BETWEEN ? AND ?",
                [max(lowerBound + 1, segment.sequences.lowerBound), segment.sequences.upperBound]
            )
            return try LogEntry.fetchAll(
                database,
                from: table,
                where: "\(condition.sql) ORDER BY \(table).sequence \(isBackward ? "DESC" : "ASC") LIMIT ?",
                condition.arguments + [limit]
            )
        }
        return Array(sortedForPage(entries).prefix(limit))
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
        var remainingSequences = (isBackward ? sequences.sorted(by: >) : sequences.sorted())[...]
        var entries: [LogEntry] = []
        while entries.count < limit, !remainingSequences.isEmpty {
            let chunk = StoreTransaction.jsonArray(of: Array(remainingSequences.prefix(limit)))
            remainingSequences = remainingSequences.dropFirst(limit)
            entries += try sortedForPage(
                LogTable.allCases.flatMap { table in
                    var condition = condition(in: table, segment.namespace)
                    condition.add("\(table).sequence IN (SELECT value FROM json_each(?))", [chunk])
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

    /// Returns whether an entry has the keys of the query: different keys may have the same hash.
    private func matches(_ entry: LogEntry) -> Bool {
        (token == nil || entry.subject.token == token) && (trace == nil || entry.subject.traceparent?.traceID == trace)
    }

    private func sortedForPage(_ entries: [LogEntry]) -> [LogEntry] {
        entries.sorted { isBackward ? $0.sequence > $1.sequence : $0.sequence < $1.sequence }
    }

    /// Returns the condition for the entries in a table that match the query, wherever they are.
    private func condition(in table: LogTable, _ namespace: Int) -> Condition {
        // The plus keeps SQLite from using an index of inboxes, which is not in the order of sequences.
        var condition = Condition(sql: "+\(table).namespace = ?", arguments: [namespace])
        if let topic { condition.add("\(table).topic = ?", [topic.databaseText]) }
        if let since { condition.add("log_batch.created >= ?", [since.rawValue]) }
        guard let states else { return condition }
        switch table {
        case .item: if !states.contains(.stored) { condition.add("false", []) }
        case .log:
            let stateNames = states.map(\.rawValue).sorted()
            condition.add(
                "log.state IN (\(stateNames.map { _ in "?" }.joined(separator: ", ")))",
                StatementArguments(stateNames)
            )
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
