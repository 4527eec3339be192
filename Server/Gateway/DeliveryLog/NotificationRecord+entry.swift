internal import Delivery
internal import GatewayStore
internal import WaypostSchema

extension NotificationRecord {
    /// Creates what is told of a notification.
    ///
    /// - Parameters:
    ///   - entry: what the store knows of it.
    ///   - unacknowledged: when and how often it was sent without being acknowledged, on the stream that is open now.
    init(_ entry: LogEntry, unacknowledged: DeliveryAttempts?) {
        // What has ended is told about by the store alone, which is told what its stream knew.
        let unacknowledged = entry.state.isFinal ? nil : unacknowledged
        var attempts = entry.attempts
        if let unacknowledged {
            if attempts == nil { attempts = unacknowledged } else { attempts?.append(unacknowledged) }
        }
        let state = unacknowledged == nil ? entry.state : .sent
        self.init(
            sequence: entry.sequence,
            id: entry.subject.id,
            batch: entry.batch,
            token: entry.subject.token,
            topic: entry.subject.topic,
            pushType: entry.subject.pushType,
            priority: entry.subject.priority,
            expiration: entry.subject.expiration,
            collapseID: entry.subject.collapseID,
            state: state,
            attempts: attempts?.count ?? 0,
            history: DeliveryHistory.steps(
                to: state,
                created: entry.created,
                isTransient: entry.subject.expiration == 0,
                attempts: attempts,
                ended: entry.ended
            ),
            reason: entry.rejection?.reason,
            message: entry.rejection?.message,
            findings: entry.subject.findings.isEmpty ? nil : entry.subject.findings
        )
    }
}

extension LogEntry {
    /// Adds when and how often the notification was sent on streams that have closed, unless the store was told already.
    mutating func noteUnlessNoted(_ past: DeliveryAttempts) {
        guard let attempts else {
            self.attempts = past
            return
        }
        if attempts.last < past.last { self.attempts?.append(past) }
    }
}
