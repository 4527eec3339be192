internal import GRDB
internal import PushRules
internal import WaypostSchema

/// Methods that record arriving notifications in the log.
extension StoreTransaction {
    /// Whether a log is kept.
    var keepsLog: Bool {
        logRetention > 0
    }

    /// Records a batch, and those of its items that are not in an inbox.
    ///
    /// A notification in an inbox gets its row in the log when it leaves the inbox. So each has one row at a time, and
    /// the row in the log need not change.
    ///
    /// - Parameter arriving: the batch.
    /// - Throws: `DatabaseError`.
    mutating func recordInLog(_ arriving: ArrivingBatch) throws {
        guard keepsLog, arriving.plan.sequenceCount > 0 else { return }
        let (batch, plan, key) = (arriving.batch, arriving.plan, arriving.key)
        let last = arriving.first + plan.sequenceCount - 1
        try addSegments(of: arriving.first...last, in: key.namespace)
        for (index, fate) in plan.fates.enumerated() {
            if case .stored = fate { continue }
            let subject = LogSubject(batch.notifications[index])
            try recordEntry(
                subject,
                sequence: arriving.sequence(of: index),
                as: fate.state,
                fate.rejection,
                of: arriving
            )
        }
        for (index, item) in batch.rejections.enumerated() {
            let sequence = arriving.first + plan.fates.count + index
            try recordEntry(item.subject, sequence: sequence, as: .rejected, item.rejection, of: arriving)
        }
        try execute(
            "INSERT INTO log_batch VALUES (?, ?, ?, ?, ?, ?)",
            [key.namespace, key.number, batch.id.stored, arriving.now.rawValue, arriving.first, last]
        )
    }

    /// Records an item that is not in an inbox, or the parts of it that could be read.
    ///
    /// - Parameters:
    ///   - subject: the item.
    ///   - sequence: its sequence.
    ///   - state: the state that it was put into at once.
    ///   - rejection: the reason for its rejection, if it was rejected.
    ///   - arriving: its batch.
    /// - Throws: `DatabaseError`.
    private mutating func recordEntry(
        _ subject: LogSubject,
        sequence: Int,
        as state: DeliveryState,
        _ rejection: Rejection?,
        of arriving: ArrivingBatch
    ) throws {
        let namespaceID = arriving.key.namespace
        let device = try subject.token.flatMap { try self.device($0, in: namespaceID) }?.number
        let end = state.isFinal ? arriving.now.rawValue : nil
        try execute(
            """
            INSERT INTO log (namespace, sequence, batch, state, ended, device, topic, push_type, priority, expiration,
                collapse_id, id, token, status, reason, message, findings, traceparent)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                namespaceID, sequence, arriving.key.number, state.rawValue, end, device,
                subject.topic?.stored, subject.pushType?.stored, subject.priority, subject.expiration,
                subject.collapseID?.stored, subject.id?.stored, device == nil ? subject.token?.stored : nil,
                rejection?.status, rejection?.reason.stored, (rejection?.message).map(StoredString.encode),
                StoredFindings.encode(subject.findings), subject.traceparent?.rawValue,
            ]
        )
        if let end { try recordEnd(of: sequence, in: namespaceID, at: end) }
    }
}
