internal import Foundation
internal import GRDB
internal import PushRules
internal import WaypostSchema

extension StoreTransaction {
    /// Returns the batch that was sent with `key` in the last 24 hours.
    mutating func keyedBatch(with key: String, in namespace: Int, at now: Timestamp) throws -> KeyedBatch? {
        try writeTallies()
        return try KeyedBatch.fetch(database, with: key, in: namespace, at: now)
    }
}

extension BatchRecord {
    /// Reads a batch.
    static func fetch(_ database: Database, _ id: BatchID, in namespace: Int) throws -> Self? {
        let sql = "SELECT \(columns) FROM batch WHERE namespace = ? AND id = ?"
        return try database.rows(sql, [namespace, id.databaseText], read: Self.init(row:)).first
    }

    /// Reads a batch from the first columns of a row.
    fileprivate init(row: Row) {
        let states = DeliveryState.counted.enumerated().map { ($1, row[$0 + 4] as Int) }
        self.init(
            number: BatchNumber(rawValue: row[0]),
            id: BatchID(databaseText: row[1]),
            rejectedCount: row[2],
            counts: DeliveryCounts(Dictionary(uniqueKeysWithValues: states)),
            storedAnswer: (row[3] as Data?).map([UInt8].init)
        )
    }

    /// The columns that a batch is read from.
    fileprivate static let columns =
        (["number", "id", "rejected", "record"] + DeliveryState.counted.map(\.rawValue))
        .map { "batch.\($0)" }.joined(separator: ", ")
}

extension KeyedBatch {
    /// Reads the batch that was sent with `key` in the last 24 hours.
    static func fetch(
        _ database: Database,
        with key: String,
        in namespace: Int,
        at now: Timestamp
    ) throws -> Self? {
        try database.rows(
            """
            SELECT \(BatchRecord.columns), idempotency.fingerprint FROM idempotency
            JOIN batch ON batch.namespace = idempotency.namespace AND batch.number = idempotency.batch
            WHERE idempotency.namespace = ? AND key = ? AND idempotency.created > ?
            """,
            [namespace, StoredString.encode(key), now.milliseconds(secondsAgo: IdempotencyKey.lifetime)]
        ) { KeyedBatch(fingerprint: [UInt8]($0[$0.count - 1] as Data), batch: BatchRecord(row: $0)) }.first
    }
}
