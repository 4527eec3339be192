internal import Foundation
internal import GRDB
internal import WaypostSchema

/// The rows that a batch is written as.
extension StoreTransaction {
    /// Puts a notification into an inbox; returns the number of the row.
    func insert(
        _ notification: NewNotification,
        at place: ItemPlace,
        sequence: Int,
        of batch: BatchKey
    ) throws -> Int {
        try execute(
            "INSERT INTO item VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                batch.namespace, place.recipient.agent, sequence, batch.number, place.recipient.device,
                notification.topic.stored, notification.pushType.stored, notification.priority,
                notification.expiration, place.deadline, notification.collapseID?.stored, place.slot?.stored,
                place.isLoose ? 1 : nil, notification.id.stored, Data(notification.payload),
            ]
        )
        return Int(database.lastInsertedRowID)
    }

    /// Writes what is known of a batch that was taken in.
    mutating func write(_ batch: NewBatch, _ progress: AppendProgress, _ refusals: [StoreRefusal?]) throws {
        let record = batch.makeRecord?(refusals)
        // What the batch itself collapsed was counted already.
        let tally = progress.tally.merging(takeTally(of: progress.key), uniquingKeysWith: +)
        let rejected = batch.rejections.count + refusals.count { $0 != nil }
        try execute(
            "INSERT INTO batch VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [progress.key.namespace, progress.key.number, batch.id.stored, progress.now.rawValue, nil, rejected]
                + Self.counts(in: tally) + [record.map { Data($0) }]
        )
        guard let key = batch.key else { return }
        try execute(
            "INSERT OR REPLACE INTO idempotency VALUES (?, ?, ?, ?, ?)",
            [
                progress.key.namespace, StoredText.encode(key.key), Data(key.fingerprint), progress.key.number,
                progress.now.rawValue,
            ]
        )
    }
}
