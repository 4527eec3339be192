internal import GatewayStore
internal import PushRules
internal import WaypostSchema

extension NotificationRecord {
    /// Creates the record of a notification.
    ///
    /// - Parameters:
    ///   - entry: the store's log entry.
    ///   - unacknowledged: the times at which the open stream has sent it, if it is not acknowledged.
    init(_ entry: LogEntry, unacknowledged: DeliveryAttempts?) {
        // Once a notification has ended, only the store's entry counts; it contains what the stream knew.
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
            findings: entry.subject.findings.isEmpty ? nil : entry.subject.findings,
            traceparent: entry.subject.traceparent
        )
    }
}

extension LogEntry {
    /// Adds the times at which closed streams sent the notification, unless the store already has them.
    mutating func noteUnlessNoted(_ past: DeliveryAttempts) {
        guard let attempts else {
            self.attempts = past
            return
        }
        if attempts.last < past.last { self.attempts?.append(past) }
    }
}
