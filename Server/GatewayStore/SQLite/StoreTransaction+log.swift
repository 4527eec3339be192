internal import Delivery
internal import GRDB
internal import WaypostSchema

/// Methods that record arriving notifications in the log.
extension StoreTransaction {
    /// Whether a log is kept.
    var keepsLog: Bool {
        logRetention > 0
    }

    /// Records a batch and its items.
    ///
    /// One statement copies the rows of the inboxes, which takes a fraction of the time of one statement per row.
    ///
    /// - Parameters:
    ///   - arriving: the batch.
    ///   - firstRow: the number of its first row in an inbox; `nil` if it has none.
    /// - Throws: `DatabaseError`.
    mutating func log(_ arriving: ArrivingBatch, firstRow: Int?) throws {
        guard keepsLog, arriving.plan.sequences > 0 else { return }
        let (batch, plan, key) = (arriving.batch, arriving.plan, arriving.key)
        if let firstRow { try execute(Self.storedSQL, [firstRow, key.number]) }
        for (index, fate) in plan.fates.enumerated() {
            let notification = batch.notifications[index]
            let sequence = arriving.sequence(of: index)
            if case .stored = fate {
                guard !notification.findings.isEmpty else { continue }
                try execute(
                    "UPDATE log SET findings = ? WHERE namespace = ? AND sequence = ?",
                    [StoredFindings.encode(notification.findings), key.namespace, sequence]
                )
            } else {
                try note(LogSubject(notification), sequence: sequence, as: fate.state, fate.rejection, of: arriving)
            }
        }
        for (index, item) in batch.rejections.enumerated() {
            let sequence = arriving.first + plan.fates.count + index
            try note(item.subject, sequence: sequence, as: .rejected, item.rejection, of: arriving)
        }
        try execute(
            "INSERT INTO log_batch VALUES (?, ?, ?, ?, ?, ?)",
            [
                key.namespace, key.number, batch.id.stored, arriving.now.rawValue, arriving.first,
                arriving.first + plan.sequences - 1,
            ]
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
    private mutating func note(
        _ subject: LogSubject,
        sequence: Int,
        as state: DeliveryState,
        _ rejection: Rejection?,
        of arriving: ArrivingBatch
    ) throws {
        let namespaceID = arriving.key.namespace
        let device = try subject.token.flatMap { try self.device($0, in: namespaceID) }?.number
        try execute(
            """
            INSERT INTO log (namespace, sequence, batch, state, ended, device, topic, push_type, priority, expiration,
                collapse_id, id, token, status, reason, message, findings)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                namespaceID, sequence, arriving.key.number, state.rawValue, state.isFinal ? arriving.now.rawValue : nil,
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

extension BatchPlan.Fate {
    /// The state that the notification is put into at once.
    fileprivate var state: DeliveryState {
        switch self {
        case .refused: .rejected
        case .stored: .stored
        case .collapsed: .collapsed
        case .sent: .accepted
        case .ended(let state): state
        }
    }

    /// The reason for the rejection, if the notification is refused.
    fileprivate var rejection: Rejection? {
        if case .refused(let refusal) = self { refusal.rejection } else { nil }
    }
}
