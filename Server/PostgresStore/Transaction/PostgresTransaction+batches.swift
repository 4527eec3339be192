internal import GatewayStore
internal import PushRules
internal import WaypostSchema

extension PostgresTransaction {
    /// Returns the batch that was sent with `key` in the last 24 hours.
    mutating func keyedBatch(with key: String, in namespace: Namespace, at now: Timestamp) throws -> KeyedBatch? {
        try writeTallies()
        return try KeyedBatch.fetch(connection, with: key, in: namespace, at: now)
    }
}

extension BatchRecord {
    /// Reads a batch.
    static func fetch(_ connection: PostgresConnection, _ id: BatchID, in namespace: Namespace) throws -> Self? {
        try connection.run(
            """
            SELECT \(columns) FROM batch LEFT JOIN tally ON tally.batch = batch.number
            WHERE batch.namespace = (SELECT number FROM namespace WHERE name = $1) AND batch.id = $2
            GROUP BY batch.number
            """,
            [.text(namespace.databaseText), .text(id.databaseText)]
        ).rows.map(Self.init(row:)).first
    }

    /// Reads a batch from the first columns of a row.
    fileprivate init(row: PostgresRow) {
        let states = DeliveryState.counted.enumerated().map { ($1, row.integer(Int32($0) + 4)) }
        self.init(
            number: BatchNumber(rawValue: row.integer(0)),
            id: BatchID(databaseText: row.text(1)),
            rejectedCount: row.integer(2),
            counts: DeliveryCounts(Dictionary(uniqueKeysWithValues: states)),
            storedAnswer: row.optionalBytes(3)
        )
    }

    /// The columns that a batch is read from.
    fileprivate static let columns =
        (["number", "id", "rejected", "record"].map { "batch.\($0)" }
        + DeliveryState.counted.map { "sum(tally.\($0.rawValue))::bigint" }).joined(separator: ", ")
}

extension KeyedBatch {
    /// Reads the batch that was sent with `key` in the last 24 hours.
    static func fetch(
        _ connection: PostgresConnection,
        with key: String,
        in namespace: Namespace,
        at now: Timestamp
    ) throws -> Self? {
        try connection.run(
            """
            SELECT \(BatchRecord.columns), idempotency.fingerprint FROM idempotency
            JOIN batch ON batch.number = idempotency.batch LEFT JOIN tally ON tally.batch = batch.number
            WHERE idempotency.namespace = (SELECT number FROM namespace WHERE name = $1) AND key = $2
                AND idempotency.created > $3
            GROUP BY batch.number, idempotency.fingerprint
            """,
            [
                .text(namespace.databaseText), .text(StoredString.encode(key)),
                .integer(now.milliseconds(secondsAgo: IdempotencyKey.lifetime)),
            ]
        ).rows.map { row in
            let fingerprint = row.optionalBytes(Int32(4 + DeliveryState.counted.count)) ?? []
            return KeyedBatch(fingerprint: fingerprint, batch: BatchRecord(row: row))
        }.first
    }
}
