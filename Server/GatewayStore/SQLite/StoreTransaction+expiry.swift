internal import GRDB
internal import PushRules
internal import WaypostSchema

/// Methods that delete data by age: notifications, keys, settled batches, log entries.
extension StoreTransaction {
    /// Removes expired notifications, and deletes old keys, settled batches and log entries.
    ///
    /// A batch that is already old when a sweep first finds it settled is kept for its lifetime again: it may have
    /// settled just now, for example if a clock was moved by a month.
    mutating func removeExpired(in namespace: Namespace, at now: Timestamp) throws -> SweepResult {
        guard let namespaceID = try namespaceID(of: namespace) else { return SweepResult() }
        var sweep = SweepResult()
        sweep.changes.removals = try removeNotifications(
            as: .expired,
            from: namespace,
            namespaceID,
            at: now,
            where: "rowid IN (SELECT rowid FROM item WHERE namespace = ? AND deadline <= ? ORDER BY deadline LIMIT ?)",
            [namespaceID, now.seconds, Retention.sweepLimit]
        )
        try writeTallies()
        let keyCutoff = now.milliseconds(secondsAgo: IdempotencyKey.lifetime)
        let keyCount = try deleteRows(Self.deleteOldIdempotencyKeysSQL, in: namespaceID, upTo: keyCutoff)
        let batchCutoff = now.milliseconds(secondsAgo: Retention.settledBatchLifetime)
        let batchCount = try deleteRows(Self.deleteOldBatchesSQL, in: namespaceID, upTo: batchCutoff)
        let markedCount = try changeRows(
            Self.markSettledSQL,
            [namespaceID, batchCutoff, Retention.sweepLimit, now.rawValue]
        )
        let entryCount = try pruneLog(in: namespaceID, at: now)
        sweep.mayHaveMore = [sweep.changes.removals.count, keyCount, batchCount, markedCount, entryCount]
            .contains(Retention.sweepLimit)
        return sweep
    }

    /// Returns whether anything has expired or is old.
    static func needsSweep(
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
                namespace, now.seconds, now.milliseconds(secondsAgo: IdempotencyKey.lifetime),
                now.milliseconds(secondsAgo: Retention.settledBatchLifetime),
                now.milliseconds(secondsAgo: logRetention),
            ]
        ) { _ in true }.first ?? false
    }

    /// Deletes the rows of a namespace up to `cutoff`, but at most `Retention.sweepLimit`; returns how many.
    private func deleteRows(_ sql: String, in namespace: Int, upTo cutoff: Int) throws -> Int {
        try changeRows(sql, [namespace, cutoff, Retention.sweepLimit])
    }

    /// Executes a statement, and returns the number of rows that it changed.
    private func changeRows(_ sql: String, _ arguments: StatementArguments) throws -> Int {
        try execute(sql, arguments)
        return database.changesCount
    }

    private static let deleteOldIdempotencyKeysSQL = """
        DELETE FROM idempotency WHERE namespace = ?1 AND key IN
            (SELECT key FROM idempotency WHERE namespace = ?1 AND created <= ?2 LIMIT ?3)
        """

    private static let deleteOldBatchesSQL = """
        DELETE FROM batch WHERE namespace = ?1 AND number IN
            (SELECT number FROM batch WHERE namespace = ?1 AND settled <= ?2 AND accepted = 0 AND stored = 0 LIMIT ?3)
        """

    private static let markSettledSQL = """
        UPDATE batch SET settled = ?4 WHERE namespace = ?1 AND number IN
            (SELECT number FROM batch WHERE namespace = ?1 AND settled IS NULL AND created <= ?2
                AND accepted = 0 AND stored = 0 LIMIT ?3)
        """
}

/// Methods that delete old log entries.
extension StoreTransaction {
    /// Deletes log entries after their retention; returns how many.
    mutating func pruneLog(in namespaceID: Int, at now: Timestamp) throws -> Int {
        let batches = try pruneEntries(
            of: namespaceID,
            endedBy: now.milliseconds(secondsAgo: logRetention),
            limit: Retention.sweepLimit
        )
        for batch in Set(batches) { try execute(Self.deleteEmptyBatchSQL, [namespaceID, batch]) }
        return batches.count
    }

    private static let deleteEmptyBatchSQL = """
        DELETE FROM log_batch WHERE namespace = ?1 AND number = ?2 AND NOT EXISTS
            (SELECT 1 FROM log WHERE log.sequence BETWEEN first AND last)
            AND NOT EXISTS (SELECT 1 FROM item WHERE item.sequence BETWEEN first AND last)
        """
}
