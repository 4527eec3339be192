import Delivery
import WaypostSchema

/// What a namespace remembers of each notification that came, in the order of arrival.
///
/// What was sent to a device is filed under the device's number, so that it follows the device to a new token.
struct NotificationLog: Sendable {
    /// What is remembered of one notification; whatever has a device leaves its token out.
    struct Line: Sendable {
        var entry: LogEntry
        var device: Int?
        fileprivate var isGone = false

        init(_ entry: LogEntry, device: Int?) {
            (self.entry, self.device) = (entry, device)
            if device != nil { self.entry.subject.token = nil }
        }
    }

    /// The seconds for which it keeps what has ended; 0 keeps nothing.
    let retention: Int

    /// The lines in ascending order; what is gone stays until half of them are, so that leaving costs a constant time on
    /// average.
    private var lines: [Line] = []
    private var goneCount = 0

    private var byID = Postings<NotificationID>()
    private var byDevice = Postings<Int>()
    private var byToken = Postings<DeviceToken>()
    private var ends = EndQueue()

    init(retention: Int) {
        self.retention = retention
    }

    /// Whether anything is kept.
    var isKept: Bool {
        retention > 0
    }

    /// Adds what came last.
    mutating func add(_ line: Line) {
        let entry = line.entry
        lines.append(line)
        if let id = entry.subject.id { byID.add(entry.sequence, to: id) }
        if let device = line.device { byDevice.add(entry.sequence, to: device) }
        if let token = line.entry.subject.token { byToken.add(entry.sequence, to: token) }
        if let ended = entry.ended { ends.add(entry.sequence, at: ended) }
    }

    /// Notes that something has come into a final state; what has been in one stays as it is.
    mutating func end(_ sequence: Int, as state: DeliveryState, at moment: Timestamp, _ attempts: DeliveryAttempts?) {
        guard let index = index(of: sequence), lines[index].entry.ended == nil else { return }
        lines[index].entry.state = state
        lines[index].entry.ended = moment
        ends.add(sequence, at: moment)
        if let attempts { lines[index].entry.note(attempts) }
    }

    /// Adds when and how often something was sent.
    mutating func note(_ attempts: DeliveryAttempts, of sequence: Int) {
        if let index = index(of: sequence) { lines[index].entry.note(attempts) }
    }

    /// Forgets what ended at `moment` or earlier.
    mutating func forget(endedBy moment: Timestamp) {
        for sequence in ends.remove(upTo: moment) {
            guard let index = index(of: sequence) else { continue }
            let line = lines[index]
            lines[index].isGone = true
            goneCount += 1
            if let id = line.entry.subject.id { byID.remove(sequence, from: id) }
            if let device = line.device { byDevice.remove(sequence, from: device) }
            if let token = line.entry.subject.token { byToken.remove(sequence, from: token) }
        }
        if 2 * goneCount > lines.count {
            lines.removeAll(where: \.isGone)
            goneCount = 0
        }
    }

    /// Returns what is remembered under `sequence`.
    func line(_ sequence: Int) -> Line? {
        index(of: sequence).map { lines[$0] }
    }

    /// Returns the newest line of what has `id`.
    func newest(_ id: NotificationID) -> Line? {
        byID[id].last.flatMap(line)
    }

    /// Returns the lines that suit a query, ascending; of one token those of its `device` and those that came when
    /// nobody had it.
    ///
    /// - Complexity: O(log n + limit) for n lines, what the query leaves out and what is gone aside.
    func lines(_ query: LogQuery, device: Int?) -> [Line] {
        guard let token = query.token else {
            let start = query.cursor.map { cursor in lines.firstIndex(above: cursor, by: \.entry.sequence) } ?? 0
            return query.page(of: lines[start...].lazy.filter { !$0.isGone })
        }
        let sequences = (byToken[token] + (device.map { byDevice[$0] } ?? [])).sorted()
        let start = query.cursor.map { cursor in sequences.firstIndex(above: cursor, by: \.self) } ?? 0
        return query.page(of: sequences[start...].lazy.compactMap { self.line($0) })
    }

    private func index(of sequence: Int) -> Int? {
        let index = lines.firstIndex(above: sequence, by: \.entry.sequence) - 1
        guard index >= 0, lines[index].entry.sequence == sequence, !lines[index].isGone else { return nil }
        return index
    }
}

extension LogEntry {
    fileprivate mutating func note(_ attempts: DeliveryAttempts) {
        if self.attempts == nil { self.attempts = attempts } else { self.attempts?.append(attempts) }
    }
}

extension LogQuery {
    /// The sequence behind which the page begins, unless it ends with the newest.
    fileprivate var cursor: Int? {
        if case .after(let sequence) = start { sequence } else { nil }
    }

    /// Returns the first lines that suit, or the last, ascending.
    fileprivate func page(of lines: some BidirectionalCollection<NotificationLog.Line>) -> [NotificationLog.Line] {
        let suiting = lines.lazy.filter { suits($0.entry) }
        guard cursor == nil else { return Array(suiting.prefix(max(0, limit))) }
        return suiting.reversed().prefix(max(0, limit)).reversed()
    }

    private func suits(_ entry: LogEntry) -> Bool {
        (topic == nil || entry.subject.topic == topic) && (states?.contains(entry.state) ?? true)
            && (since.map { entry.created >= $0 } ?? true)
    }
}
