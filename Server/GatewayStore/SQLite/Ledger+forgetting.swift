internal import GRDB
internal import WaypostSchema

/// How the log forgets.
extension Ledger {
    /// Forgets what the log has kept for long enough; returns how much.
    mutating func pruneLog(in home: Int, at now: Timestamp) throws -> Int {
        let batches = try rows(
            """
            DELETE FROM log WHERE namespace = ?1 AND sequence IN
                (SELECT sequence FROM log WHERE namespace = ?1 AND ended <= ?2 LIMIT ?3)
            RETURNING batch
            """,
            [home, now.milliseconds(before: logRetention), Self.sweepLimit]
        ) { $0[0] as Int }
        for batch in Set(batches) { try execute(Self.emptyBatchSQL, [home, batch]) }
        return batches.count
    }

    private static let emptyBatchSQL = """
        DELETE FROM log_batch WHERE namespace = ?1 AND number = ?2 AND NOT EXISTS
            (SELECT 1 FROM log WHERE log.namespace = ?1 AND log.sequence BETWEEN first AND last)
        """
}
