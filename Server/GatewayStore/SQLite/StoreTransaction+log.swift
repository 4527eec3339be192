internal import Delivery
internal import GRDB
internal import WaypostSchema

/// What the log is told of notifications as they come.
extension StoreTransaction {
    /// Whether a log is kept.
    var keepsLog: Bool {
        logRetention > 0
    }

    /// Notes a batch of which everything has a sequence above `last`, and what of it was stored; returns its sequences.
    ///
    /// What is in an inbox the database copies by itself, which takes a fraction of the time of a statement for each.
    mutating func note(_ batch: NewBatch, of progress: AppendProgress, above last: Int) throws -> ClosedRange<Int>? {
        guard keepsLog, counters.sequence > last else { return nil }
        if let firstRow = progress.firstRow { try execute(Self.storedSQL, [firstRow, progress.key.number]) }
        for (index, notification) in batch.notifications.enumerated() where !notification.findings.isEmpty {
            try execute(
                "UPDATE log SET findings = ? WHERE namespace = ? AND sequence = ?",
                [StoredFindings.encode(notification.findings), progress.key.namespace, last + 1 + index]
            )
        }
        for removal in progress.changes.removals where removal.batch.rawValue == progress.key.number {
            // Everything has a sequence, in the order of the batch.
            let subject = LogSubject(batch.notifications[removal.sequence - last - 1])
            try note(subject, sequence: removal.sequence, as: removal.state, of: progress)
        }
        try execute(
            "INSERT INTO log_batch VALUES (?, ?, ?, ?, ?, ?)",
            [
                progress.key.namespace, progress.key.number, batch.id.stored, progress.now.rawValue, last + 1,
                counters.sequence,
            ]
        )
        return (last + 1)...counters.sequence
    }

    /// Notes something that was not stored, or as much of it as could be read.
    ///
    /// - Parameters:
    ///   - subject: what came.
    ///   - sequence: its sequence.
    ///   - state: the state that it was put into at once.
    ///   - rejection: why it was rejected.
    ///   - progress: the batch that it came in.
    /// - Throws: `DatabaseError`.
    mutating func note(
        _ subject: LogSubject,
        sequence: Int,
        as state: DeliveryState,
        _ rejection: Rejection? = nil,
        of progress: AppendProgress
    ) throws {
        guard keepsLog else { return }
        let namespaceID = progress.key.namespace
        let device = try subject.token.flatMap { try self.device($0, in: namespaceID) }?.number
        try execute(
            """
            INSERT INTO log (namespace, sequence, batch, state, ended, device, topic, push_type, priority, expiration,
                collapse_id, id, token, status, reason, message, findings)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                namespaceID, sequence, progress.key.number, state.rawValue, state.isFinal ? progress.now.rawValue : nil,
                device,
                subject.topic?.stored, subject.pushType?.stored, subject.priority, subject.expiration,
                subject.collapseID?.stored, subject.id?.stored, device == nil ? subject.token?.stored : nil,
                rejection?.status, rejection?.reason.stored, (rejection?.message).map(StoredText.encode),
                StoredFindings.encode(subject.findings),
            ]
        )
    }

    /// A row's number is above those of all that are there, so that a batch has none below that of its first.
    private static let storedSQL = """
        INSERT INTO log (namespace, sequence, batch, state, device, topic, push_type, priority, expiration,
            collapse_id, id)
        SELECT namespace, sequence, batch, '\(DeliveryState.stored.rawValue)', device, topic, push_type, priority,
            expiration, collapse_id, id
        FROM item WHERE rowid >= ? AND batch = ?
        """
}
