internal import GRDB
internal import PushRules
internal import WaypostSchema

/// Methods that delete data by age: notifications, keys, settled batches, log entries.
extension StoreTransaction {
    /// Removes expired notifications, and deletes old keys, settled batches and log entries.
    ///
    /// A batch that is already old when a sweep first finds it settled is kept for its lifetime again: it may have
    /// settled just now, for example if a clock was moved by a month.
    mutating func expire(_ namespace: Namespace, at now: Timestamp) throws -> Sweep {
        guard let namespaceID = try number(of: namespace) else { return Sweep() }
        var sweep = Sweep()
        sweep.changes.removals = try leave(
            as: .expired,
            from: namespace,
            namespaceID,
            at: now,
            where: "rowid IN (SELECT rowid FROM item WHERE namespace = ? AND deadline <= ? ORDER BY deadline LIMIT ?)",
            [namespaceID, now.seconds, Retention.sweepLimit]
        )
        try writeTallies()
        let keys = try forget(Self.oldKeys, in: namespaceID, before: now.milliseconds(before: IdempotencyKey.lifetime))
        let longAgo = now.milliseconds(before: Retention.settledBatch)
        let batches = try forget(Self.oldBatches, in: namespaceID, before: longAgo)
        let marked = try change(Self.markSettled, [namespaceID, longAgo, Retention.sweepLimit, now.rawValue])
        let lines = try pruneLog(in: namespaceID, at: now)
        sweep.isPartial = [sweep.changes.removals.count, keys, batches, marked, lines].contains(Retention.sweepLimit)
        return sweep
    }

    /// Returns whether anything has expired or is old.
    static func isAnythingDue(
        _ database: Database,
        in namespace: Int,
        at now: Timestamp,
        logRetention: Int
    ) throws -> Bool {
        try database.rows(
            """
            SELECT 1 WHERE EXISTS (SELECT 1 FROM item WHERE namespace = ?1 AND deadline <= ?2)
                OR EXISTS (SELECT 1 FROM idempotency WHERE namespace = ?1 AND created <= ?3)
                OR EXISTS (SELECT 1 FROM batch WHERE namespace = ?1 AND settled <= ?4 AND accepted = 0 AND stored = 0)
                OR EXISTS (SELECT 1 FROM batch WHERE namespace = ?1 AND settled IS NULL AND created <= ?4
                    AND accepted = 0 AND stored = 0)
                OR EXISTS (SELECT 1 FROM log_segment WHERE namespace = ?1 AND earliest_end <= ?5)
            """,
            [
                namespace, now.seconds, now.milliseconds(before: IdempotencyKey.lifetime),
                now.milliseconds(before: Retention.settledBatch), now.milliseconds(before: logRetention),
            ]
        ) { _ in true }.first ?? false
    }

    private func forget(_ sql: String, in namespace: Int, before moment: Int) throws -> Int {
        try change(sql, [namespace, moment, Retention.sweepLimit])
    }

    /// Executes a statement, and returns the number of rows that it changed.
    private func change(_ sql: String, _ arguments: StatementArguments) throws -> Int {
        try execute(sql, arguments)
        return database.changesCount
    }

    private static let oldKeys = """
        DELETE FROM idempotency WHERE namespace = ?1 AND key IN
            (SELECT key FROM idempotency WHERE namespace = ?1 AND created <= ?2 LIMIT ?3)
        """

    private static let oldBatches = """
        DELETE FROM batch WHERE namespace = ?1 AND number IN
            (SELECT number FROM batch WHERE namespace = ?1 AND settled <= ?2 AND accepted = 0 AND stored = 0 LIMIT ?3)
        """

    private static let markSettled = """
        UPDATE batch SET settled = ?4 WHERE namespace = ?1 AND number IN
            (SELECT number FROM batch WHERE namespace = ?1 AND settled IS NULL AND created <= ?2
                AND accepted = 0 AND stored = 0 LIMIT ?3)
        """
}

/// Methods that delete old log entries.
extension StoreTransaction {
    /// Deletes log entries after their retention; returns how many.
    mutating func pruneLog(in namespaceID: Int, at now: Timestamp) throws -> Int {
        let batches = try pruneSegments(
            of: namespaceID,
            endedBy: now.milliseconds(before: logRetention),
            limit: Retention.sweepLimit
        )
        for batch in Set(batches) { try execute(Self.emptyBatchSQL, [namespaceID, batch]) }
        return batches.count
    }

    private static let emptyBatchSQL = """
        DELETE FROM log_batch WHERE namespace = ?1 AND number = ?2 AND NOT EXISTS
            (SELECT 1 FROM log WHERE log.sequence BETWEEN first AND last)
            AND NOT EXISTS (SELECT 1 FROM item WHERE item.sequence BETWEEN first AND last)
        """
}
