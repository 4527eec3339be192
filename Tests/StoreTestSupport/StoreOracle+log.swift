import GatewayStore
import PushRules
import WaypostSchema

/// Predictions for the log.
extension StoreOracle {
    struct Line {
        var namespace: Namespace
        var entry: LogEntry

        /// Whether the notification was sent to a device; if so, it follows the device to another token.
        var isDevices: Bool
    }

    mutating func note(
        _ subject: LogSubject,
        of batch: NewBatch,
        as state: DeliveryState,
        _ rejection: Rejection? = nil,
        sequence: Int,
        at now: Timestamp
    ) {
        let entry = LogEntry(
            sequence: sequence,
            batch: batch.id,
            subject: subject,
            state: state,
            rejection: rejection,
            createdAt: now,
            endedAt: state == .stored || state == .accepted ? nil : now
        )
        let isDevices = subject.token.map { devices[Place(batch.namespace, $0)] != nil } ?? false
        lines[sequence] = Line(namespace: batch.namespace, entry: entry, isDevices: isDevices)
        touchedLines.insert(sequence)
    }

    /// Records the end of a notification that has not ended yet.
    mutating func end(
        _ sequence: Int,
        as state: DeliveryState,
        at moment: Timestamp? = nil,
        attempts: DeliveryAttempts? = nil
    ) {
        guard let line = lines[sequence], line.entry.endedAt == nil else { return }
        if let attempts { note(attempts, of: sequence, in: line.namespace) }
        lines[sequence]?.entry.state = state
        lines[sequence]?.entry.endedAt = moment ?? now ?? line.entry.createdAt
        touchedLines.insert(sequence)
    }

    mutating func note(_ attempts: DeliveryAttempts, of sequence: Int, in namespace: Namespace) {
        guard let line = lines[sequence], line.namespace == namespace else { return }
        let former = line.entry.attempts
        lines[sequence]?.entry.attempts = DeliveryAttempts(
            first: min(former?.first ?? attempts.first, attempts.first),
            last: max(former?.last ?? attempts.last, attempts.last),
            count: (former?.count ?? 0) + attempts.count
        )
        touchedLines.insert(sequence)
    }

    mutating func moveLines(from place: Place<DeviceToken>, to token: DeviceToken) {
        for (sequence, line) in lines
        where line.isDevices && line.namespace == place.namespace && line.entry.subject.token == place.name {
            lines[sequence]?.entry.subject.token = token
        }
    }

    /// Forgets the lines that ended before the retention began.
    mutating func pruneLines(of namespace: Namespace, at now: Timestamp) {
        for (sequence, line) in lines where line.namespace == namespace {
            guard let ended = line.entry.endedAt, ended.isOlder(than: logRetention * 1_000, at: now) else { continue }
            lines[sequence] = nil
            touchedLines.insert(sequence)
        }
    }

    /// Returns the expected result of a query.
    func log(_ query: LogQuery, in namespace: Namespace) -> [LogEntry] {
        let all = lines.values.filter { $0.namespace == namespace }.map(\.entry).sorted { $0.sequence < $1.sequence }
        let matching = all.filter { entry in
            (query.token == nil || entry.subject.token == query.token)
                && (query.trace == nil || entry.subject.traceparent?.traceID == query.trace)
                && (query.topic == nil || entry.subject.topic == query.topic)
                && (query.states == nil || query.states?.contains(entry.state) == true)
                && (query.since == nil || query.since.map { entry.createdAt >= $0 } == true)
        }
        switch query.start {
        case .after(let sequence): return Array(matching.filter { $0.sequence > sequence }.prefix(max(0, query.limit)))
        case .latest: return matching.suffix(max(0, query.limit))
        }
    }
}
