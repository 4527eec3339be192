internal import GatewayStore
internal import PushRules
internal import WaypostSchema

/// Methods that delete data by age: notifications, idempotency keys, settled batches, log entries.
extension PostgresTransaction {
    /// Removes expired notifications, and deletes old idempotency keys, settled batches and log entries.
    ///
    /// The lifetime of a batch begins when a sweep first finds it settled, even if the batch is old: it may have settled
    /// just now, for example if a clock was moved by a month.
    mutating func removeExpired(in namespace: Namespace, at now: Timestamp) throws -> SweepResult {
        guard let namespaceID = try namespaceID(of: namespace) else { return SweepResult() }
        let limit = PostgresValue.integer(Retention.sweepLimit)
        let removals = try removeNotifications(
            as: .expired,
            from: namespace,
            at: now,
            """
            DELETE FROM item WHERE sequence IN (
                SELECT sequence FROM item WHERE namespace = $1 AND deadline <= $2 ORDER BY deadline LIMIT $3
                FOR UPDATE SKIP LOCKED
            ) RETURNING *
            """,
            [.integer(namespaceID), .integer(now.seconds), limit]
        )
        try writeTallies()
        let batchCutoff = PostgresValue.integer(now.milliseconds(secondsAgo: Retention.settledBatchLifetime))
        let statements: [(sql: String, arguments: [PostgresValue])] = [
            (Self.deleteOldIdempotencyKeysSQL, [.integer(now.milliseconds(secondsAgo: IdempotencyKey.lifetime))]),
            (Self.deleteOldBatchesSQL, [batchCutoff]),
            (Self.markSettledSQL, [batchCutoff, .integer(now.rawValue)]),
            (Self.deleteOldEntriesSQL, [.integer(now.milliseconds(secondsAgo: logRetention))]),
        ]
        let counts = try statements.map { sql, arguments in
            try connection.run(sql, [.integer(namespaceID), limit] + arguments).rows.first?.integer(0) ?? 0
        }
        var changes = StoreChanges()
        changes.removals = removals
        return SweepResult(
            changes: enqueue(changes, in: namespace),
            mayHaveMore: ([removals.count] + counts).contains(Retention.sweepLimit)
        )
    }

    private static let deleteOldIdempotencyKeysSQL = """
        WITH gone AS (
            DELETE FROM idempotency WHERE namespace = $1 AND key IN (
                SELECT key FROM idempotency WHERE namespace = $1 AND created <= $3 LIMIT $2
            ) RETURNING 1
        ) SELECT count(*) FROM gone
        """

    private static let deleteOldBatchesSQL = """
        WITH gone AS (
            DELETE FROM batch WHERE number IN (
                SELECT number FROM batch WHERE namespace = $1 AND settled <= $3 LIMIT $2
            ) RETURNING number
        ), counts AS (DELETE FROM tally USING gone WHERE tally.batch = gone.number)
        SELECT count(*) FROM gone
        """

    private static let markSettledSQL = """
        WITH marked AS (
            UPDATE batch SET settled = $4 WHERE number IN (
                SELECT number FROM batch WHERE namespace = $1 AND settled IS NULL AND created <= $3
                    AND NOT EXISTS (
                        SELECT 1 FROM tally WHERE tally.batch = batch.number
                        HAVING sum(accepted) > 0 OR sum(stored) > 0
                    )
                LIMIT $2
            ) RETURNING 1
        ) SELECT count(*) FROM marked
        """

    private static let deleteOldEntriesSQL = """
        WITH gone AS (
            DELETE FROM log WHERE sequence IN (
                SELECT sequence FROM log WHERE namespace = $1 AND ended <= $3 LIMIT $2
            ) RETURNING sequence, batch
        ), empty AS (
            DELETE FROM log_batch WHERE number IN (SELECT batch FROM gone)
                AND NOT EXISTS (SELECT 1 FROM item WHERE item.sequence BETWEEN first AND last)
                AND NOT EXISTS (
                    SELECT 1 FROM log WHERE log.sequence BETWEEN first AND last
                        AND log.sequence NOT IN (SELECT sequence FROM gone)
                )
        ) SELECT count(*) FROM gone
        """
}
