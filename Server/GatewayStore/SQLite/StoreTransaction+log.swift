internal import Delivery
internal import GRDB
internal import WaypostSchema

/// Methods that record arriving notifications in the log.
extension StoreTransaction {
    /// Whether a log is kept.
    var keepsLog: Bool {
        logRetention > 0
    }

    /// Records a batch, whose sequences are all above `last`, and its stored notifications; returns its sequences.
    ///
    /// One statement copies the rows of the inboxes, which takes a fraction of the time of one statement per row.
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
            // Every item has a sequence, in the order of the batch.
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

    /// Records a notification that was not stored, or the parts of it that could be read.
    ///
    /// - Parameters:
    ///   - subject: the notification.
    ///   - sequence: its sequence.
    ///   - state: the state that it was put into at once.
    ///   - rejection: the reason for its rejection, if it was rejected.
    ///   - progress: the progress of its batch.
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

    /// New rows get numbers above all existing ones, so all rows of a batch have numbers from that of its first row on.
    private static let storedSQL = """
        INSERT INTO log (namespace, sequence, batch, state, device, topic, push_type, priority, expiration,
            collapse_id, id)
        SELECT namespace, sequence, batch, '\(DeliveryState.stored.rawValue)', device, topic, push_type, priority,
            expiration, collapse_id, id
        FROM item WHERE rowid >= ? AND batch = ?
        """
}
