import Delivery
import WaypostSchema

/// What a namespace remembers of what came.
extension NamespaceRecords {
    /// Notes what came.
    ///
    /// - Parameters:
    ///   - subject: what came, or as much of it as could be read.
    ///   - batch: the batch it came in.
    ///   - state: the state that it was put into at once.
    ///   - rejection: why it was rejected.
    ///   - sequence: its place in the log.
    ///   - now: the present moment.
    mutating func note(
        _ subject: LogSubject,
        of batch: BatchID,
        as state: DeliveryState,
        _ rejection: Rejection? = nil,
        sequence: Int,
        at now: Timestamp
    ) {
        guard log.isKept else { return }
        let entry = LogEntry(
            sequence: sequence,
            batch: batch,
            subject: subject,
            state: state,
            rejection: rejection,
            created: now,
            ended: state.isFinal ? now : nil
        )
        log.add(NotificationLog.Line(entry, device: subject.token.flatMap { devices[$0]?.number }))
    }

    /// Returns a part of the log.
    func entries(_ query: LogQuery) -> [LogEntry] {
        log.lines(query, device: query.token.flatMap { devices[$0]?.number }).map(entry)
    }

    /// Returns what the log has at `sequences`, ascending.
    func entries(at sequences: [Int]) -> [LogEntry] {
        Set(sequences).sorted().compactMap { log.line($0).map(entry) }
    }

    /// Returns the newest entry of the notification that has `id`.
    func entry(of id: NotificationID) -> LogEntry? {
        log.newest(id).map(entry)
    }

    private func entry(_ line: NotificationLog.Line) -> LogEntry {
        var entry = line.entry
        if let device = line.device { entry.subject.token = tokens[device] }
        return entry
    }
}
