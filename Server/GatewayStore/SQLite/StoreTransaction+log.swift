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
    /// A notification in an inbox gets its row in the log when it leaves the inbox. So it is in one of the two tables at a
    /// time, and its row in the log need not change.
    ///
    /// - Parameter arrival: the batch.
    /// - Throws: `DatabaseError`.
    mutating func recordInLog(_ arrival: BatchArrival) throws {
        guard keepsLog, arrival.plan.sequenceCount > 0 else { return }
        let (batch, plan, key) = (arrival.batch, arrival.plan, arrival.batchKey)
        let last = arrival.firstSequence + plan.sequenceCount - 1
        try addLogSegments(of: arrival.firstSequence...last, in: key.namespace)
        for (index, fate) in plan.fates.enumerated() {
            if case .stored = fate { continue }
            let notification = batch.notifications[index]
            try recordEntry(
                LogSubject(notification),
                sequence: arrival.sequence(of: index),
                as: fate.state,
                fate.rejection(of: notification),
                of: arrival
            )
        }
        for (index, item) in batch.rejections.enumerated() {
            let sequence = arrival.firstSequence + plan.fates.count + index
            try recordEntry(item.subject, sequence: sequence, as: .rejected, item.rejection, of: arrival)
        }
        try execute(
            "INSERT INTO log_batch VALUES (?, ?, ?, ?, ?, ?)",
            [key.namespace, key.number, batch.id.databaseText, arrival.time.rawValue, arrival.firstSequence, last]
        )
    }

    /// Records an item that is not in an inbox, or the parts of it that could be read.
    ///
    /// - Parameters:
    ///   - subject: the item.
    ///   - sequence: its sequence.
    ///   - state: the state that it was put into at once.
    ///   - rejection: the reason for its rejection, if it was rejected.
    ///   - arrival: its batch.
    /// - Throws: `DatabaseError`.
    private mutating func recordEntry(
        _ subject: LogSubject,
        sequence: Int,
        as state: DeliveryState,
        _ rejection: Rejection?,
        of arrival: BatchArrival
    ) throws {
        let namespaceID = arrival.batchKey.namespace
        let device = try subject.token.flatMap { try self.device($0, in: namespaceID) }?.number
        let end = state.isFinal ? arrival.time.rawValue : nil
        try execute(
            """
            INSERT INTO log (namespace, sequence, batch, state, ended, device, topic, push_type, priority, expiration,
                collapse_id, id, token, status, reason, message, findings, traceparent)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                namespaceID, sequence, arrival.batchKey.number, state.rawValue, end, device,
                subject.topic?.databaseText, subject.pushType?.databaseText, subject.priority, subject.expiration,
                subject.collapseID?.databaseText, subject.id?.databaseText,
                device == nil ? subject.token?.databaseText : nil,
                rejection?.status, rejection?.reason?.databaseText, (rejection?.message).map(StoredString.encode),
                StoredFindings.encode(subject.findings), subject.traceparent?.rawValue,
            ]
        )
        if let end { try updateSegmentEnd(of: sequence, in: namespaceID, at: end) }
    }
}
