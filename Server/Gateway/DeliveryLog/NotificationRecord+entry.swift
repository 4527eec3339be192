internal import GatewayStore
internal import PushRules
internal import WaypostSchema

extension NotificationRecord {
    /// Creates the record of a notification.
    ///
    /// - Parameters:
    ///   - entry: the store's log entry.
    ///   - openStreamAttempts: the times at which the open stream has sent it, if it is not acknowledged.
    init(_ entry: LogEntry, openStreamAttempts: DeliveryAttempts?) {
        // The entry of a notification in a final state already contains the attempts of the stream.
        let openStreamAttempts = entry.state.isFinal ? nil : openStreamAttempts
        var attempts = entry.attempts
        if let openStreamAttempts {
            if attempts == nil { attempts = openStreamAttempts } else { attempts?.merge(openStreamAttempts) }
        }
        let state = openStreamAttempts == nil ? entry.state : .sent
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
                createdAt: entry.createdAt,
                isTransient: entry.subject.expiration == 0,
                attempts: attempts,
                endedAt: entry.endedAt
            ),
            reason: entry.rejection?.reason,
            message: entry.rejection?.message,
            findings: entry.findings.isEmpty ? nil : entry.findings,
            traceparent: entry.subject.traceparent
        )
    }
}

extension LogEntry {
    /// The findings that are stored, and those that follow from the notification.
    ///
    /// A rejected item has only those that are stored: what matters is the reason for which it was rejected.
    fileprivate var findings: [NotificationFinding] {
        guard state != .rejected, let pushType = subject.pushType, let topic = subject.topic else {
            return subject.findings
        }
        let check = HeaderCheck(
            pushType: pushType,
            topic: topic,
            priority: subject.priority ?? PushTypeContract.defaultPriority,
            expiration: subject.expiration,
            id: subject.id,
            isPushTypeAssumed: subject.findings.contains { $0.code == .missingPushType }
        )
        // An older gateway has stored the finding about the priority.
        let codes = subject.findings.map(\.code)
        return subject.findings + check.findings(at: createdAt).filter { !codes.contains($0.code) }
    }

    /// Adds the times at which closed streams sent the notification, unless the store already has them.
    mutating func mergeAttempts(ofClosedStreams closedStreamAttempts: DeliveryAttempts) {
        guard let attempts else {
            self.attempts = closedStreamAttempts
            return
        }
        if attempts.last < closedStreamAttempts.last { self.attempts?.merge(closedStreamAttempts) }
    }
}
